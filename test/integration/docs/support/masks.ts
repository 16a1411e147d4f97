const ids = /\b([a-z]+)_[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** What differs from run to run and has a form of its own. */
const forms: readonly (readonly [RegExp, string])[] = [
  [/\bwds_(?:[0-9A-Za-z]+…?|…)/g, "<key>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>"],
  [/\bsha256=[0-9a-f]{64}/g, "<signature>"],
  [/"next_cursor":\s*"[\w-]+"/g, '"next_cursor":"<cursor>"'],
  [/"request_id":\s*"[A-Za-z0-9._-]{1,128}"/g, '"request_id":"<request id>"'],
];

/**
 * Replaces what differs from run to run. Ids get names in the order in which they come up, the same id always
 * the same one, so that two texts that tell one story become equal.
 */
export class Mask {
  readonly #names = new Map<string, string>();

  apply(text: string): string {
    const named = text.replace(ids, (id, prefix: string) => this.#nameOf(id, prefix));
    return forms.reduce((masked, [form, name]) => masked.replaceAll(form, name), named);
  }

  #nameOf(id: string, prefix: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = [...this.#names.values()].filter((name) => name.startsWith(`<${prefix} `)).length;
    const name = `<${prefix} ${count + 1}>`;
    this.#names.set(id, name);
    return name;
  }
}

/** JSON, or lines of it, in one layout; what is no JSON stays as it is. The order of members counts. */
export function layOut(text: string): string {
  return (
    tryLayOut(text) ??
    text
      .trimEnd()
      .split("\n")
      .map((line) => tryLayOut(line) ?? line)
      .join("\n")
  );
}

function tryLayOut(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

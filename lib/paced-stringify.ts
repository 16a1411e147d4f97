import { isMembers } from "./members.ts";
import { stringifyOrdered } from "./ordered-json.ts";
import { createPacer, type Pacer } from "./pacer.ts";

/**
 * The text that {@link stringifyOrdered} gives, for plain values that may have a long list among their members:
 * others get their turn between its items.
 */
export async function stringifyPaced(value: unknown): Promise<string> {
  if (!isMembers(value)) return stringifyOrdered(value);
  const pause = createPacer();
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = Array.isArray(member)
      ? await listMember(key, member, pause)
      : stringifyOrdered({ [key]: member }).slice(1, -1);
    // Nothing is left of what JSON does not know, as undefined.
    if (text !== "") members.push(text);
  }
  return `{${members.join(",")}}`;
}

async function listMember(key: string, list: readonly unknown[], pause: Pacer): Promise<string> {
  const items: string[] = [];
  for (const item of list) {
    items.push(stringifyOrdered([item]).slice(1, -1));
    await pause();
  }
  const name = stringifyOrdered({ [key]: 0 }).slice(1, -2);
  return `${name}[${items.join(",")}]`;
}

import { stringifyOrdered } from "../../lib/ordered-json.ts";

interface ListLike {
  readonly items: readonly unknown[];
}

/**
 * How an action's result is dressed for the client: `item` is one resource; `list` has `items` and whatever
 * describes them, which becomes `meta`; `items` are a list's items alone; `meta` is nothing but description;
 * `none` has no body.
 */
const envelopes = {
  item: (data: unknown) => ({ success: true, data }),
  list: ({ items, ...meta }: ListLike) => ({ success: true, data: items, meta }),
  items: ({ items }: ListLike) => ({ success: true, data: items }),
  meta: (meta: unknown) => ({ success: true, meta }),
};

export type EnvelopeName = keyof typeof envelopes | "none";

/** The body of a successful answer as JSON text; undefined where it has none. */
export function renderEnvelope(name: EnvelopeName, result: unknown): string | undefined {
  switch (name) {
    case "none":
      return undefined;
    case "list":
    case "items":
      return stringifyOrdered(envelopes[name](asList(result)));
    default:
      return stringifyOrdered(envelopes[name](result));
  }
}

function asList(result: unknown): ListLike {
  if (typeof result === "object" && result !== null && "items" in result && Array.isArray(result.items)) {
    return { ...result, items: result.items };
  }
  throw new Error("An action behind a list envelope must give `items`.");
}

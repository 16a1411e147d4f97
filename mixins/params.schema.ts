import type { ParamsOf, ParamsSchema } from "./action.ts";

/** An id as somebody sends it: what is longer than any id cannot exist. */
export const id = { type: "string", format: "storable" } as const;

/** Known words, of which others are well-formed but mean nothing: 422. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  ({ type: "string", enum: words, format: "storable", semantic: ["enum"] }) as const;

/** What every list takes. */
export const pageParams = {
  page: { type: "integer", minimum: 1 },
  per_page: { type: "integer", minimum: 1 },
} as const;

/** What a list takes that is sorted, searched and walked by cursor; its `sort` is its own. */
export const listParams = {
  ...pageParams,
  order: { type: "string", enum: ["asc", "desc"] },
  q: { type: "string", format: "storable" },
  cursor: { type: "string" },
} as const;

/** An action on one item. */
export const oneItemSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: { id },
} as const satisfies ParamsSchema;

export const noParamsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {},
} as const satisfies ParamsSchema;

export type OneItemParams = ParamsOf<typeof oneItemSchema>;

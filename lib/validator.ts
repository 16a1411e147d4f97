import { Ajv, type ValidateFunction } from "ajv";
import type { ServiceError } from "./errors.ts";
import { toError } from "./faults.ts";
import { isHttpsUrl } from "./https-url.ts";
import { unmarkKey } from "./ordered-json.ts";

/** A JSON Schema as this project writes it: plain data, with the keyword `semantic` of our own. */
export type Schema = Readonly<Record<string, unknown>>;

/** Gives the error that the value deserves, or undefined where it is valid. */
export type Check = (value: unknown) => ServiceError | undefined;

/** Values up to this size get every fault listed; beyond it the first fault must do. */
const MAX_VALUES_FOR_ALL_FAULTS = 2_000;

/**
 * Compiles a schema into a check. Faults are 400 `invalid_request`, but those of the keywords that a
 * schema lists under `semantic`, as in `{ minLength: 1, semantic: ["minLength"] }`, are 422 `unprocessable`.
 * Where a value has both, it is 400.
 */
export function compileCheck(schema: Schema): Check {
  const first = firstFault.compile(schema);
  let every: ValidateFunction | undefined;
  return (value) => {
    if (first(value)) return undefined;
    if (!isSmall(value)) return toError(first.errors ?? []);
    // Most processes never see a fault in most schemas, so the second form is compiled when it is needed.
    every ??= everyFault.compile(schema);
    every(value);
    return toError(every.errors ?? []);
  };
}

function ajv(allErrors: boolean): Ajv {
  const instance = new Ajv({ allErrors, strict: true, verbose: true, messages: false, ownProperties: true });
  instance.addFormat("storable", isStorable);
  instance.addFormat("storableKey", (key: string) => isStorable(unmarkKey(key)));
  instance.addFormat("httpsUrl", isHttpsUrl);
  instance.addKeyword({
    keyword: "maxKeyLength",
    type: "string",
    schemaType: "number",
    validate: (limit: number, key: string) => key.length <= limit || [...unmarkKey(key)].length <= limit,
  });
  instance.addKeyword({
    keyword: "semantic",
    schemaType: "array",
    metaSchema: { items: { type: "string" } },
  });
  instance.addKeyword({
    keyword: "notBlank",
    type: "string",
    schemaType: "boolean",
    validate: (_: boolean, text: string) => text.trim() !== "",
  });
  return instance;
}

/** Whether both databases and JSON can keep the text as it is: no lone surrogate, no U+0000. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

const firstFault = ajv(false);
const everyFault = ajv(true);

/** Counts no further than the bound, so that a huge value costs no more than a small one. */
function isSmall(value: unknown): boolean {
  let seen = 0;
  const visit = (part: unknown): void => {
    seen += 1;
    if (typeof part !== "object" || part === null) return;
    for (const child of Object.values(part)) {
      if (seen > MAX_VALUES_FOR_ALL_FAULTS) return;
      visit(child);
    }
  };
  visit(value);
  return seen <= MAX_VALUES_FOR_ALL_FAULTS;
}

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type ErrorDetail, ServiceError } from "./errors.ts";
import { unmarkKey } from "./ordered-json.ts";

/** A JSON Schema as this project writes it: plain data, with the keyword `semantic` of our own. */
export type Schema = Readonly<Record<string, unknown>>;

/** Gives the error that the value deserves, or undefined where it is valid. */
export type Check = (value: unknown) => ServiceError | undefined;

/** Values up to this size get every fault listed; beyond it the first fault must do. */
const MAX_VALUES_FOR_ALL_FAULTS = 2_000;
const MAX_DETAILS = 20;

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
  instance.addKeyword({
    keyword: "maxKeyLength",
    type: "string",
    schemaType: "number",
    validate: (limit: number, key: string) => [...unmarkKey(key)].length <= limit,
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

function toError(faults: readonly ErrorObject[]): ServiceError {
  const meaningful = faults.filter((fault) => fault.keyword !== "propertyNames");
  const structural = meaningful.filter((fault) => !isSemantic(fault));
  const judged = structural.length > 0 ? structural : meaningful;
  const details = judged.slice(0, MAX_DETAILS).map(toDetail);
  const [worst] = details;
  const message = worst ? `The request is not valid: ${sentence(worst)}` : "The request is not valid.";
  return new ServiceError(structural.length > 0 ? "invalid_request" : "unprocessable", message, { details });
}

function sentence({ path, message }: ErrorDetail): string {
  return `${path === "" ? "the body" : path} ${message}.`;
}

function isSemantic(fault: ErrorObject): boolean {
  const listed: unknown = fault.parentSchema?.semantic;
  return Array.isArray(listed) && listed.includes(fault.keyword);
}

function toDetail(fault: ErrorObject): ErrorDetail {
  return { path: faultPath(fault), message: faultMessage(fault) };
}

/** `/records/3` and a missing `name` become `records.3.name`. */
function faultPath({ instancePath, params, propertyName }: ErrorObject): string {
  const parts = instancePath.split("/").slice(1).map(unescapePointer);
  const named: unknown = params.missingProperty ?? params.additionalProperty ?? propertyName;
  if (typeof named === "string") parts.push(named);
  return parts.map(unmarkKey).join(".");
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

const plural = (count: unknown, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
const properties = (count: unknown) => (count === 1 ? "1 member" : `${count} members`);

/** What each keyword says when it fails; `{limit}` and the like come from the schema. */
const messages: Readonly<Record<string, (fault: ErrorObject) => string>> = {
  required: () => "is required",
  additionalProperties: () => "is not known here",
  type: ({ params }) => `must be ${article(String(params.type))}`,
  enum: ({ params }) => `must be one of ${[params.allowedValues].flat().join(", ")}`,
  format: ({ params }) =>
    params.format === "storable" || params.format === "storableKey"
      ? "must not have U+0000 or half of a surrogate pair"
      : `must be in the format ${params.format}`,
  notBlank: () => "must not be blank",
  pattern: () => "is malformed",
  minLength: ({ params }) =>
    params.limit === 1 ? "must not be empty" : `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${plural(params.limit, "character")}`,
  maxKeyLength: ({ schema }) => `must have at most ${plural(schema, "character")}`,
  minItems: () => "must not be empty",
  maxItems: ({ params }) => `must have at most ${plural(params.limit, "item")}`,
  maxProperties: ({ params }) => `must have at most ${properties(params.limit)}`,
  minimum: ({ params }) => `must be ${params.limit} or more`,
  maximum: ({ params }) => `must be ${params.limit} or less`,
};

function article(type: string): string {
  return type === "array" || type === "integer" || type === "object" ? `an ${type}` : `a ${type}`;
}

function faultMessage(fault: ErrorObject): string {
  return messages[fault.keyword]?.(fault) ?? "is not valid";
}

import type { ErrorObject } from "ajv";
import { type ErrorDetail, ServiceError } from "./errors.ts";
import { unmarkKey } from "./ordered-json.ts";

/** Faults that an answer lists; more help nobody. */
export const MAX_DETAILS = 20;

/** The error for what Ajv found: 400, or 422 where all of it is semantic. */
export function toError(faults: readonly ErrorObject[]): ServiceError {
  const meaningful = faults.filter((fault) => fault.keyword !== "propertyNames");
  const structural = meaningful.filter((fault) => !isSemantic(fault));
  const judged = structural.length > 0 ? structural : meaningful;
  return faultError(
    structural.length > 0 ? "invalid_request" : "unprocessable",
    oncePerPath(judged.map(toDetail)),
  );
}

/** The first fault of each member: a number where one of some words belongs is of the wrong type, and that is all. */
function oncePerPath(details: readonly ErrorDetail[]): ErrorDetail[] {
  const first = new Map<string, ErrorDetail>();
  for (const detail of details) if (!first.has(detail.path)) first.set(detail.path, detail);
  return [...first.values()];
}

/** The error for members at fault; the first of them makes the message. */
export function faultError(
  code: "invalid_request" | "unprocessable",
  details: readonly ErrorDetail[],
): ServiceError {
  const [first] = details;
  const message = first ? `The request is not valid: ${sentence(first)}` : "The request is not valid.";
  return new ServiceError(code, message, { details: details.slice(0, MAX_DETAILS) });
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
  return parts.map(unmarkKey).map(shortened).join(".");
}

const MAX_NAME_LENGTH = 200;

/** A client's own name of a member, as far as an answer should repeat it. */
export function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

const plural = (count: unknown, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
const properties = (count: unknown) => (count === 1 ? "1 member" : `${count} members`);

/** What each format of our own says when a text is not in it. */
const formats: Readonly<Record<string, string>> = {
  storable: "must not have U+0000 or half of a surrogate pair",
  storableKey: "must not have U+0000 or half of a surrogate pair",
  httpsUrl: "must be an https:// URL without user or password",
};

/** What each keyword says when it fails; `{limit}` and the like come from the schema. */
const messages: Readonly<Record<string, (fault: ErrorObject) => string>> = {
  required: () => "is required",
  additionalProperties: () => "is not known here",
  type: ({ params }) => `must be ${article(String(params.type))}`,
  enum: ({ params }) => `must be one of ${[params.allowedValues].flat().join(", ")}`,
  format: ({ params }) => formats[params.format] ?? `must be in the format ${params.format}`,
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

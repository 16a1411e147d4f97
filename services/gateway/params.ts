import { invalidMember } from "../../lib/errors.ts";
import { shortened } from "../../lib/faults.ts";
import { isMembers, type Members } from "../../lib/members.ts";
import type { PathParams } from "./router.ts";

/** How an action's params look from a query: their names, and which of them are integers. */
export type QueryParams = ReadonlyMap<string, "integer" | "text">;

const noParams: QueryParams = new Map();
const wholeNumber = /^-?\d+$/;

/** The properties of an action's schema; none where it has no schema of an object. */
export function queryParamsOf(schema: unknown): QueryParams {
  const properties = isMembers(schema) ? schema.properties : undefined;
  if (!isMembers(properties)) return noParams;
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      isMembers(property) && property.type === "integer" ? "integer" : "text",
    ]),
  );
}

/**
 * The params of a call whose route takes them from the query and the path. Whole numbers become numbers
 * where the schema asks for them; all else stays text, and whether it is valid is for the action to say.
 * @param query what follows the question mark; form encoding, so `+` is a space
 * @throws ServiceError `invalid_request` for a parameter that is unknown, repeated or malformed
 */
export function paramsFromQuery(query: string, known: QueryParams, pathParams: PathParams): Members {
  const params: Members = {};
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const { name, text } = readPair(pair);
    const kind = Object.hasOwn(pathParams, name) ? undefined : known.get(name);
    if (kind === undefined) throw invalidMember(shortened(name), "is no query parameter here");
    if (Object.hasOwn(params, name)) throw invalidMember(shortened(name), "must not be repeated");
    params[name] = kind === "integer" && wholeNumber.test(text) ? Number(text) : text;
  }
  return Object.assign(params, pathParams);
}

/**
 * The params of a call whose route takes them from the body and the path.
 * @throws ServiceError `invalid_request` where the query says anything, or the body names a path parameter
 */
export function paramsFromBody(body: Members, query: string, pathParams: PathParams): Members {
  paramsFromQuery(query, noParams, pathParams);
  for (const name of Object.keys(pathParams)) {
    if (Object.hasOwn(body, name)) throw invalidMember(shortened(name), "is not known here");
  }
  return Object.assign(body, pathParams);
}

function readPair(pair: string): { name: string; text: string } {
  const mark = pair.indexOf("=");
  if (mark === -1) return { name: decode(pair, pair), text: "" };
  const shownName = pair.slice(0, mark);
  const name = decode(shownName, shownName);
  return { name, text: decode(pair.slice(mark + 1), name) };
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw invalidMember(shortened(name), "must be percent-encoded UTF-8");
  }
}

import type { ErrorDetail, ServiceError } from "./errors.ts";
import { faultError, MAX_DETAILS } from "./faults.ts";
import { isMembers } from "./members.ts";
import { createPacer } from "./pacer.ts";
import { type Check, compileCheck, type Schema } from "./validator.ts";

/** As a {@link Check}, for values that take long: others get their turn meanwhile. */
export type PacedCheck = (value: unknown) => Promise<ServiceError | undefined>;

interface LongList {
  readonly name: string;
  /** The schema of one item. */
  readonly items: Schema;
  /** The whole schema, which accepts any items. */
  readonly around: Schema;
}

/**
 * Compiles a schema into a check. Where it has a list of objects, that list is checked item by item, so that
 * a thousand of them do not hold the process; what is valid is the same.
 */
export function compilePacedCheck(schema: Schema): Check | PacedCheck {
  const list = findLongList(schema);
  if (!list) return compileCheck(schema);
  const checkAround = compileCheck(list.around);
  const checkItem = compileCheck(list.items);
  return async (value) => checkAround(value) ?? (await checkItems(checkItem, list.name, value));
}

async function checkItems(check: Check, name: string, value: unknown): Promise<ServiceError | undefined> {
  const pause = createPacer();
  const structural: ErrorDetail[] = [];
  const semantic: ErrorDetail[] = [];
  for (const [index, item] of itemsOf(value, name).entries()) {
    const fault = check(item);
    const details = fault?.type === "invalid_request" ? structural : semantic;
    if (fault && details.length < MAX_DETAILS) details.push(...fault.details.map(within(`${name}.${index}`)));
    if (structural.length >= MAX_DETAILS) break;
    await pause();
  }
  if (structural.length > 0) return faultError("invalid_request", structural);
  return semantic.length > 0 ? faultError("unprocessable", semantic) : undefined;
}

function within(prefix: string) {
  return ({ path, message }: ErrorDetail): ErrorDetail => ({
    path: path === "" ? prefix : `${prefix}.${path}`,
    message,
  });
}

function itemsOf(value: unknown, name: string): readonly unknown[] {
  const items: unknown = isMembers(value) ? value[name] : undefined;
  return Array.isArray(items) ? items : [];
}

function findLongList(schema: Schema): LongList | undefined {
  const { properties } = schema;
  if (!isMembers(properties)) return undefined;
  for (const [name, property] of Object.entries(properties)) {
    if (!isMembers(property) || !isMembers(property.items) || property.items.type !== "object") continue;
    const around = { ...schema, properties: { ...properties, [name]: { ...property, items: {} } } };
    return { name, items: property.items, around };
  }
  return undefined;
}

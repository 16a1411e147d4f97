import { isMembers, type Members } from "../lib/members.ts";
import { markKeys, parseOrdered } from "../lib/ordered-json.ts";
import { UsageError } from "./command-line.ts";
import { mayBe, type Shape } from "./param-shape.ts";

const anything: Shape = {};

/**
 * The params of a call from the words behind the action's name: JSON, or `--member value` pairs, where a dot
 * leads into a member (`--fields.owner Ana`) and a repeated member makes a list. The action's schema says what
 * a word stands for, so that `--name 007` stays text; whether the whole is valid is for the action to say.
 * @param schema the action's JSON Schema; without one, numbers, true and false are taken as such
 * @throws UsageError
 */
export function readParams(words: readonly string[], schema: object = anything): Members {
  const [first = "", ...others] = words;
  const isJson = first.startsWith("{");
  const params: Members = isJson ? { ...membersOf(readJson(first)) } : {};
  for (const { path, value } of typedMembers(isJson ? others : words)) {
    setMember(params, path, value, schema, path);
  }
  return params;
}

interface TypedMember {
  readonly path: string;
  /** undefined where nothing stood behind the member's name. */
  readonly value: string | undefined;
}

/** The pairs among the words. */
function typedMembers(words: readonly string[]): TypedMember[] {
  const members: TypedMember[] = [];
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] ?? "";
    const [, path, given] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (path === undefined) throw new UsageError(strayWord(word));
    const next = given ?? words[place + 1];
    const isBehind = given === undefined && next !== undefined && !/^--[^\s=]/.test(next);
    members.push({ path, value: isBehind ? next : given });
    if (isBehind) place += 1;
  }
  return members;
}

function strayWord(word: string): string {
  return `"${word}" belongs to no member. A call is typed: call <action> [--member value]… or call <action> '{"member": "value"}'`;
}

function setMember(
  members: Members,
  path: string,
  typed: string | undefined,
  shape: Shape,
  whole: string,
): void {
  const [head = "", ...rest] = path.split(".");
  const inner = memberShape(shape, head);
  // Where all members are texts, a dot is one more character of a name.
  const isNested = rest.length > 0 && (mayBe(inner, "object") || inner === anything);
  const [key = ""] = Object.keys(markKeys({ [isNested ? head : path]: undefined }));
  const present = Object.hasOwn(members, key) ? members[key] : undefined;
  if (isNested) {
    const nested: Members = isMembers(present) ? present : {};
    if (present !== undefined && nested !== present) throw givenTwice(head);
    members[key] = nested;
    setMember(nested, rest.join("."), typed, inner, whole);
    return;
  }
  const known = memberShape(shape, path);
  if (mayBe(known, "array")) members[key] = [...asList(present), ...readItems(typed, known.items, whole)];
  else if (present !== undefined) throw givenTwice(whole);
  else members[key] = readValue(typed, known, whole);
}

function givenTwice(path: string): UsageError {
  return new UsageError(`--${path} is given twice.`);
}

function memberShape({ properties = {}, additionalProperties }: Shape, name: string): Shape {
  const named = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return named ?? (typeof additionalProperties === "object" ? additionalProperties : anything);
}

function readItems(typed: string | undefined, item: Shape = anything, path: string): readonly unknown[] {
  if (typed?.startsWith("[")) return asList(readJson(typed));
  return [readValue(typed, item, path)];
}

function readValue(typed: string | undefined, shape: Shape, path: string): unknown {
  const isUnknown = shape.type === undefined;
  if (typed === undefined) {
    if (isUnknown || mayBe(shape, "boolean")) return true;
    throw new UsageError(`--${path} has no value; an empty one is typed --${path}=""`);
  }
  if (mayBe(shape, "string")) return typed;
  if (/^[{[]/.test(typed)) return readJson(typed);
  if ((isUnknown || mayBe(shape, "boolean")) && /^(?:true|false)$/.test(typed)) return typed === "true";
  const isNumeric = isUnknown || mayBe(shape, "integer") || mayBe(shape, "number");
  if (isNumeric && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(typed)) return Number(typed);
  return typed;
}

function readJson(text: string): unknown {
  try {
    return parseOrdered(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`This is no JSON: ${reason}.`);
  }
}

function asList(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

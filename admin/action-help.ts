import type { DeclaredAction } from "./declared-action.ts";
import { mayBe, type Shape } from "./param-shape.ts";
import { table } from "./table.ts";

/** What stands for a value in the help, by the JSON Schema's word for it. */
const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "JSON object",
  array: "JSON list",
};

/** The page of `call <action> --help`: the members that the action takes, as they are typed. */
export function actionHelp(name: string, { schema }: DeclaredAction): string {
  if (schema === undefined) return `${name}\n\nIts service declares no members.`;
  const members = membersOf(schema);
  if (members.length === 0) return `${name}\n\nIt takes no members.`;
  return `${name}\n\n${table(members.map((cells) => ["", ...cells])).join("\n")}`;
}

/** A row for each member: how it is typed, and what else there is to know. */
function membersOf({ properties = {}, required = [] }: Shape, lead = "--", isNeeded = true): string[][] {
  return Object.entries(properties).flatMap(([name, shape]) => {
    const isRequired = isNeeded && required.includes(name);
    if (shape.properties) return membersOf(shape, `${lead}${name}.`, isRequired);
    return [[typed(`${lead}${name}`, shape), remarks(shape, isRequired)]];
  });
}

function typed(option: string, shape: Shape): string {
  if (mayBe(shape, "array")) return `${option} <${typeName(shape.items)}>`;
  if (!mayBe(shape, "object")) return `${option} <${typeName(shape)}>`;
  const inner = typeof shape.additionalProperties === "object" ? shape.additionalProperties : undefined;
  return `${option}.<member> <${typeName(inner)}>`;
}

function typeName({ type }: Shape = {}): string {
  const names = [type].flat().flatMap((known) => (typeof known === "string" ? (typeNames[known] ?? []) : []));
  return names.join(" or ") || "value";
}

function remarks(shape: Shape, isRequired: boolean): string {
  const values = shape.enum ?? shape.items?.enum;
  return [
    ...(isRequired ? ["required"] : []),
    ...(mayBe(shape, "array") ? ["may be repeated"] : []),
    ...(values ? [`one of ${values.join(", ")}`] : []),
  ].join("; ");
}

import { describe, expect, test } from "@jest/globals";
import { compileCheck } from "../../../../lib/validator.ts";
import { oneItemSchema } from "../../../../mixins/params.schema.ts";
import {
  createUserSchema,
  listUsersSchema,
  updateUserSchema,
} from "../../../../services/users/user.schema.ts";

const checks = {
  create: compileCheck(createUserSchema),
  update: compileCheck(updateUserSchema),
  list: compileCheck(listUsersSchema),
  one: compileCheck(oneItemSchema),
};
type Kind = keyof typeof checks;
type Line = [kind: Kind, params: object, paths?: string[]];

const judge = (kind: Kind, params: object) => {
  const fault = checks[kind](params);
  return fault && { code: fault.errorCode, paths: fault.details.map(({ path }) => path) };
};

const user = { email: "ada@example.com", name: "Ada", role: "editor" };
const id = "usr_1";
const HALF = "\ud83d";

describe("what is taken", () => {
  const taken: Line[] = [
    ["create", user],
    ["create", { ...user, name: "😀".repeat(255) }],
    ["create", { ...user, name: " A " }],
    ["update", { id }],
    ["update", { id, name: "x".repeat(255), role: "admin", status: "inactive" }],
    ["one", { id: "" }],
    ["list", {}],
    [
      "list",
      {
        role: "viewer",
        status: "active",
        page: 2,
        per_page: 500,
        sort: "email",
        order: "desc",
        q: "",
        cursor: "",
      },
    ],
  ];
  test.each(taken)("%s %j", (kind, params) => expect(judge(kind, params)).toBeUndefined());
});

describe("what is refused with 400", () => {
  const refused: Line[] = [
    ["create", {}, ["email", "name", "role"]],
    ["create", { email: 1, name: null }, ["email", "name", "role"]],
    ["create", { ...user, email: null }, ["email"]],
    ["create", { ...user, email: 1 }, ["email"]],
    ["create", { ...user, email: "a".repeat(255) }, ["email"]],
    ["create", { ...user, email: `${HALF}@example.com` }, ["email"]],
    ["create", { ...user, name: "" }, ["name"]],
    ["create", { ...user, name: " \t" }, ["name"]],
    ["create", { ...user, name: "x".repeat(256) }, ["name"]],
    ["create", { ...user, name: "a\u0000" }, ["name"]],
    ["create", { ...user, role: "owner" }, ["role"]],
    ["create", { ...user, role: "" }, ["role"]],
    ["create", { ...user, role: "Admin" }, ["role"]],
    ["create", { ...user, role: ["admin"] }, ["role"]],
    ["create", { ...user, status: "inactive" }, ["status"]],
    ["create", { ...user, id }, ["id"]],
    ["update", { id, email: "grace@example.com" }, ["email"]],
    ["update", { id, created_at: "x" }, ["created_at"]],
    ["update", { id, name: null }, ["name"]],
    ["update", { id, name: "x".repeat(256) }, ["name"]],
    ["update", { id, name: HALF }, ["name"]],
    ["update", { id, role: null }, ["role"]],
    ["update", { id, status: true }, ["status"]],
    // What is both malformed and meaningless is malformed.
    ["update", { id, role: "owner", nosuch: 1 }, ["nosuch"]],
    ["one", {}, ["id"]],
    ["one", { id: "a\u0000" }, ["id"]],
    ["list", { page: 0 }, ["page"]],
    ["list", { page: "x" }, ["page"]],
    ["list", { per_page: 0 }, ["per_page"]],
    ["list", { sort: "email_key" }, ["sort"]],
    ["list", { sort: "words" }, ["sort"]],
    ["list", { order: "up" }, ["order"]],
    ["list", { type: "note" }, ["type"]],
    ["list", { q: HALF }, ["q"]],
  ];
  test.each(refused)("%s %j", (kind, params, paths) => {
    const fault = judge(kind, params);
    expect({ ...fault, paths: [...new Set(fault?.paths)].toSorted() }).toEqual({
      code: "invalid_request",
      paths,
    });
  });
});

describe("what is refused with 422", () => {
  const refused: Line[] = [
    ["update", { id, name: "" }, ["name"]],
    ["update", { id, name: " \n" }, ["name"]],
    ["update", { id, role: "owner" }, ["role"]],
    ["update", { id, role: "" }, ["role"]],
    ["update", { id, status: "archived" }, ["status"]],
    ["update", { id, name: " ", role: "x", status: "y" }, ["name", "role", "status"]],
    ["list", { role: "owner" }, ["role"]],
    ["list", { role: "" }, ["role"]],
    ["list", { status: "Active" }, ["status"]],
  ];
  test.each(refused)("%s %j", (kind, params, paths) =>
    expect(judge(kind, params)).toEqual({ code: "unprocessable", paths }),
  );
});

import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Context, ServiceBroker } from "moleculer";
import { ServiceError } from "../../../lib/errors.ts";
import { actionOf } from "../../../mixins/action.ts";
import { validationMiddleware } from "../../../mixins/validation.middleware.ts";
import { quietBroker } from "./support/quiet-broker.ts";

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: { name: { type: "string", minLength: 1, semantic: ["minLength"] } },
} as const;

/** Items are checked one after the other, and others get their turn meanwhile. */
const listSchema = {
  type: "object",
  additionalProperties: false,
  required: ["things"],
  properties: { things: { type: "array", minItems: 1, items: schema } },
} as const;

let broker: ServiceBroker;
let ran: unknown[];

beforeEach(async () => {
  ran = [];
  const handler = async (ctx: Context) => {
    ran.push(ctx.params);
    return "done";
  };
  const make = actionOf<object>()({ permission: "writeRecords", schema, handler });
  broker = quietBroker(validationMiddleware());
  const makeMany = actionOf<object>()({ permission: "writeRecords", schema: listSchema, handler });
  broker.createService({
    name: "things",
    actions: { make, makeMany, free: handler },
  });
  await broker.start();
});

afterEach(() => broker.stop());

test("params that are as the action's schema says reach the action, as they are", async () => {
  const params = { name: "A" };
  await expect(broker.call("things.make", params)).resolves.toBe("done");
  expect(ran).toEqual([params]);
});

test.each([
  ["that are missing", undefined, "invalid_request", "name", "is required"],
  [
    "with a member that is not known",
    { name: "A", other: 1 },
    "invalid_request",
    "other",
    "is not known here",
  ],
  ["of the wrong type", { name: 1 }, "invalid_request", "name", "must be a string"],
  ["that make no sense", { name: "" }, "unprocessable", "name", "must not be empty"],
])("params %s are refused, and the action does not run", async (_, params, errorCode, path, message) => {
  const refused = broker.call("things.make", params);
  await expect(refused).rejects.toBeInstanceOf(ServiceError);
  await expect(refused).rejects.toMatchObject({ errorCode, details: [{ path, message }] });
  expect(ran).toEqual([]);
});

test("a long list is checked before the action runs, down to its last item", async () => {
  const things = Array.from({ length: 500 }, (_, n) => ({ name: `A${n}` }));
  await expect(broker.call("things.makeMany", { things: [...things, { name: 1 }] })).rejects.toMatchObject({
    errorCode: "invalid_request",
    details: [{ path: "things.500.name", message: "must be a string" }],
  });
  expect(ran).toEqual([]);
  await expect(broker.call("things.makeMany", { things })).resolves.toBe("done");
  expect(ran).toEqual([{ things }]);
});

test("params are not coerced into what they should be", async () => {
  await expect(broker.call("things.make", { name: { toString: () => "A" } })).rejects.toMatchObject({
    code: 400,
  });
});

test("an action without a schema takes anything", async () => {
  await expect(broker.call("things.free", { any: "thing" })).resolves.toBe("done");
  expect(ran).toEqual([{ any: "thing" }]);
});

test("the broker's own actions are left alone", async () => {
  await expect(broker.call("$node.services", { skipInternal: true })).resolves.toEqual(expect.any(Array));
});

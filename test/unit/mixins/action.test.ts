import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Caller } from "../../../lib/caller.ts";
import { actionOf, callerOf } from "../../../mixins/action.ts";
import { quietBroker } from "./support/quiet-broker.ts";

const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "viewer" };

const whoami = actionOf<object>()<object>({
  permission: "read",
  schema: { type: "object" },
  handler: async (ctx) => callerOf(ctx),
});

let broker: ServiceBroker;

beforeEach(async () => {
  broker = quietBroker();
  broker.createService({ name: "things", actions: { whoami } });
  await broker.start();
});

afterEach(() => broker.stop());

describe("an action", () => {
  test("runs on behalf of the caller in the call's meta", async () => {
    await expect(broker.call("things.whoami", {}, { meta: { caller } })).resolves.toEqual(caller);
  });

  test("that needs a caller fails without one, whatever the params say", async () => {
    await expect(broker.call("things.whoami", { caller })).rejects.toThrow("This action needs a caller");
  });

  test("declares its permission and schema where the gateway and the validation look for them", () => {
    expect(whoami).toMatchObject({ permission: "read", schema: { type: "object" } });
  });
});

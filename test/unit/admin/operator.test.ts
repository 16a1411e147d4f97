import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Context, type Service, ServiceBroker } from "moleculer";
import { UsageError } from "../../../admin/command-line.ts";
import { Operator } from "../../../admin/operator.ts";
import type { Permission } from "../../../lib/caller.ts";
import { actionOf, type CallMeta } from "../../../mixins/action.ts";

const workspaceOf = (id: string) => ({ id, name: `Workspace ${id}`, created_at: "2026-01-01T00:00:00.000Z" });

let workspaces: string[];
/** The active admins of each workspace, the oldest first. */
let admins: Record<string, string[]>;
let asked: unknown[];
let broker: ServiceBroker;
let operator: Operator;

/** An action as services declare it. */
const action = (permission: Permission, handler: (ctx: Context<object, CallMeta>) => unknown) =>
  actionOf<Service>()<object>({ permission, schema: {}, handler: async (ctx) => handler(ctx) });

const callerIn = (ctx: Context<unknown, CallMeta>) => ctx.meta.caller ?? null;

beforeEach(async () => {
  workspaces = ["ws_1"];
  admins = { ws_1: ["usr_1", "usr_2"], ws_2: ["usr_3"] };
  asked = [];
  operator = new Operator();
  broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
    middlewares: [operator.middleware],
  });
  const listWorkspaces = () => workspaces.map(workspaceOf);
  const listUsers = (ctx: Context<object, CallMeta>) => {
    asked.push(ctx.params);
    const ids = admins[ctx.meta.caller?.workspaceId ?? ""] ?? [];
    return { items: ids.slice(0, 1).map((id) => ({ id })), next_cursor: null };
  };
  broker.createService({ name: "workspaces", actions: { list: action("operate", listWorkspaces) } });
  broker.createService({ name: "users", actions: { list: action("read", listUsers) } });
  broker.createService({
    name: "things",
    actions: {
      see: action("read", callerIn),
      write: action("administer", callerIn),
      operate: action("operate", callerIn),
      bare: { handler: callerIn },
      nested: action("operate", (ctx) => ctx.call("things.see")),
    },
  });
  await broker.start();
});

afterEach(() => broker.stop());

const consoleCaller = { workspaceId: "ws_1", userId: "usr_1", keyId: "console", role: "admin" };

describe("at the console", () => {
  test.each(["things.see", "things.write"])(
    "%s runs as the oldest admin of the only workspace",
    async (action) => {
      expect(await operator.call(action, {})).toEqual(consoleCaller);
      expect(await broker.call(action)).toEqual(consoleCaller);
      expect(asked).toContainEqual({
        role: "admin",
        status: "active",
        sort: "id",
        order: "asc",
        per_page: 1,
      });
    },
  );

  test.each(["things.operate", "things.bare"])("%s has no caller, for it takes none", async (action) => {
    expect(await operator.call(action, {})).toBeNull();
    expect(asked).toEqual([]);
  });

  test("a caller that the call names stays", async () => {
    const caller = { ...consoleCaller, userId: "usr_9", role: "viewer" };
    expect(await broker.call("things.see", {}, { meta: { caller } })).toEqual(caller);
  });

  test("what an action calls in turn has the caller that the action had", async () => {
    expect(await operator.call("things.nested", {})).toBeNull();
  });

  test("everything else that a call is given stays", async () => {
    const meta = { trace: "abc" };
    expect(await broker.call("things.see", {}, { meta, timeout: 50 })).toEqual(consoleCaller);
    expect(meta).toEqual({ trace: "abc" });
  });

  test("the first admin is looked up anew, for it may have changed", async () => {
    await operator.call("things.see", {});
    admins.ws_1 = ["usr_2"];
    expect(await operator.call("things.see", {})).toMatchObject({ userId: "usr_2" });
  });

  test("an unknown action is the broker's to refuse", async () => {
    await expect(operator.call("things.none", {})).rejects.toMatchObject({ type: "SERVICE_NOT_FOUND" });
  });
});

describe("with several workspaces", () => {
  beforeEach(() => {
    workspaces = ["ws_2", "ws_1"];
  });

  test("a call without a choice is refused, and lists them", async () => {
    const refused = operator.call("things.see", {});
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(/ws_2 {2}Workspace ws_2\n {2}ws_1 {2}Workspace ws_1$/);
  });

  test("and very many of them, the first are listed", async () => {
    workspaces = Array.from({ length: 45 }, (_, place) => `ws_${place}`);
    await expect(operator.call("things.see", {})).rejects.toThrow(
      /ws_19 .*\n {2}and 25 more: `workspaces list`$/,
    );
  });

  test("the chosen one counts, and for one call another that it names", async () => {
    expect(await operator.choose("ws_2")).toEqual(workspaceOf("ws_2"));
    expect(await operator.call("things.see", {})).toMatchObject({ workspaceId: "ws_2", userId: "usr_3" });
    expect(await operator.call("things.see", {}, "ws_1")).toEqual(consoleCaller);
    expect(await operator.call("things.see", {})).toMatchObject({ workspaceId: "ws_2" });
  });

  test("one that is not there cannot be chosen, and the choice before stays", async () => {
    await operator.choose("ws_1");
    await expect(operator.choose("ws_9")).rejects.toThrow("There is no workspace with this id");
    expect(await operator.call("things.see", {})).toEqual(consoleCaller);
    await expect(operator.call("things.see", {}, "ws_9")).rejects.toThrow(
      "There is no workspace ws_9 with an active admin to act as.",
    );
  });
});

test("without a workspace a call is refused, and told how to make one", async () => {
  workspaces = [];
  await expect(operator.call("things.see", {})).rejects.toThrow(
    "There is no workspace yet; `workspaces create`",
  );
});

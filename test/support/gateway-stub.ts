import type { Context, Service, ServiceBroker } from "moleculer";
import { hashApiKey, newApiKey } from "../../lib/api-key.ts";
import type { Caller, Permission, Role } from "../../lib/caller.ts";
import { actionOf, type CallMeta, type ParamsSchema } from "../../mixins/action.ts";
import { oneItemSchema } from "../../mixins/params.schema.ts";
import gatewayService from "../../services/gateway/gateway.service.ts";
import {
  bulkCreateSchema,
  bulkRemoveSchema,
  createRecordSchema,
  listRecordsSchema,
  updateRecordSchema,
} from "../../services/records/record.schema.ts";
import { type App, type AppOptions, startApp } from "./app.ts";

/** A call that reached an action, behind the gateway and the validation. */
export interface StubCall {
  readonly action: string;
  readonly params: unknown;
  readonly caller: Caller | undefined;
  readonly requestId: string | null | undefined;
}

export interface GatewayStub {
  readonly app: App;
  /** One key for each role. */
  readonly keys: Readonly<Record<Role, string>>;
  /** The calls of the records' actions so far. */
  readonly calls: StubCall[];
  /** The hashes that were looked up so far. */
  readonly lookUps: string[];
  /** Who is behind a hash; a test may replace it. */
  authenticate: (hash: string) => Promise<Caller | null>;
  /** What an action gives back; a test may replace it. */
  respond: (call: StubCall) => Promise<unknown>;
}

const record = { id: "rec_1", name: "A", type: "note" };
const results: Readonly<Record<string, unknown>> = {
  list: { items: [record], page: 1, per_page: 20, total: 1, next_cursor: null },
  get: record,
  create: record,
  update: record,
  remove: null,
  bulkCreate: { items: [record], created: 1 },
  bulkRemove: { deleted: 1, failed: 0 },
};

/** Starts the real gateway before services that do nothing but note what reaches them. */
export async function startGatewayStub(options: Pick<AppOptions, "env"> = {}): Promise<GatewayStub> {
  const keys = { admin: newApiKey(), editor: newApiKey(), viewer: newApiKey() };
  const callers = new Map(Object.entries(keys).map(([role, key]) => [hashApiKey(key), callerWith(role)]));
  const calls: StubCall[] = [];
  const lookUps: string[] = [];
  const behaviour = {
    authenticate: async (hash: string): Promise<Caller | null> => callers.get(hash) ?? null,
    respond: async ({ action }: StubCall) => results[action],
  };
  const app = await startApp({
    ...options,
    createServices: (broker) => {
      createKeys(broker, async (hash) => {
        lookUps.push(hash);
        return await behaviour.authenticate(hash);
      });
      createRecords(broker, async (call) => {
        calls.push(call);
        return await behaviour.respond(call);
      });
      broker.createService(gatewayService);
    },
  });
  return Object.assign(behaviour, { app: { ...app, key: keys.admin }, keys, calls, lookUps });
}

function callerWith(role: string): Caller {
  const known = role === "admin" || role === "editor" ? role : "viewer";
  return { workspaceId: "ws_1", userId: `usr_${role}`, keyId: `key_${role}`, role: known };
}

function createKeys(broker: ServiceBroker, authenticate: (hash: string) => Promise<Caller | null>): void {
  const action = actionOf<Service>();
  const schema = {
    type: "object",
    properties: { hash: { type: "string" } },
    required: ["hash"],
  } as const satisfies ParamsSchema;
  broker.createService({
    name: "keys",
    actions: {
      authenticate: action<{ hash: string }>({
        permission: "operate",
        schema,
        handler: (ctx) => authenticate(ctx.params.hash),
      }),
    },
  });
}

function createRecords(broker: ServiceBroker, respond: (call: StubCall) => Promise<unknown>): void {
  const action = actionOf<Service>();
  const noting = (name: string, permission: Permission, schema: ParamsSchema) =>
    action<unknown>({
      permission,
      schema,
      handler: (ctx: Context<unknown, CallMeta>) =>
        respond({ action: name, params: ctx.params, caller: ctx.meta.caller, requestId: ctx.requestID }),
    });
  broker.createService({
    name: "records",
    actions: {
      list: noting("list", "read", listRecordsSchema),
      get: noting("get", "read", oneItemSchema),
      create: noting("create", "writeRecords", createRecordSchema),
      update: noting("update", "writeRecords", updateRecordSchema),
      remove: noting("remove", "writeRecords", oneItemSchema),
      bulkCreate: noting("bulkCreate", "writeRecords", bulkCreateSchema),
      bulkRemove: noting("bulkRemove", "writeRecords", bulkRemoveSchema),
    },
  });
}

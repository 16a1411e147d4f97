import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import {
  type BulkCreateParams,
  type BulkRemoveParams,
  bulkCreateSchema,
  bulkRemoveSchema,
  createRecordSchema,
  type ListRecordsParams,
  listRecordsSchema,
  type NewRecord,
  type OneRecordParams,
  oneRecordSchema,
  type RecordPatch,
  updateRecordSchema,
} from "./record.schema.ts";
import { getRecord, listRecords } from "./record-list.ts";
import { reindexRecords } from "./record-reindex.ts";
import { RecordWriter } from "./record-writer.ts";

interface RecordsService extends Service, OutboxHost {
  writer: RecordWriter;
  stopping: AbortController;
  reindexing: Promise<void>;
  reindex(): Promise<void>;
}

const action = actionOf<RecordsService>();

/** Data records: see docs/architecture.md for how lists, totals and searches stay flat. */
const recordsService: ServiceSchema<ServiceSettingSchema, object, object, RecordsService> = {
  name: "records",
  mixins: [outboxMixin],
  actions: {
    list: action<ListRecordsParams>({
      permission: "read",
      schema: listRecordsSchema,
      handler(ctx) {
        return listRecords(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    get: action<OneRecordParams>({
      permission: "read",
      schema: oneRecordSchema,
      handler(ctx) {
        return getRecord(databaseOf(this.broker).read, callerOf(ctx), ctx.params.id);
      },
    }),
    create: action<NewRecord>({
      permission: "writeRecords",
      schema: createRecordSchema,
      handler(ctx) {
        return this.writer.create(callerOf(ctx), ctx.params);
      },
    }),
    update: action<RecordPatch>({
      permission: "writeRecords",
      schema: updateRecordSchema,
      handler(ctx) {
        return this.writer.update(callerOf(ctx), ctx.params);
      },
    }),
    remove: action<OneRecordParams>({
      permission: "writeRecords",
      schema: oneRecordSchema,
      async handler(ctx) {
        await this.writer.remove(callerOf(ctx), ctx.params.id);
        return null;
      },
    }),
    bulkCreate: action<BulkCreateParams>({
      permission: "writeRecords",
      schema: bulkCreateSchema,
      async handler(ctx) {
        const items = await this.writer.createMany(callerOf(ctx), ctx.params.records);
        return { items, created: items.length };
      },
    }),
    bulkRemove: action<BulkRemoveParams>({
      permission: "writeRecords",
      schema: bulkRemoveSchema,
      async handler(ctx) {
        const deleted = await this.writer.removeMany(callerOf(ctx), ctx.params.ids);
        return { deleted, failed: ctx.params.ids.length - deleted };
      },
    }),
  },
  started() {
    this.writer = new RecordWriter(this.outbox);
    this.stopping = new AbortController();
    this.reindexing = this.reindex();
  },
  async stopped() {
    this.stopping?.abort();
    await this.reindexing;
  },
  methods: {
    /** Runs beside the service: records are served meanwhile, and found by what the index has so far. */
    async reindex(this: RecordsService) {
      try {
        const count = await reindexRecords(databaseOf(this.broker), this.stopping.signal);
        if (count > 0) this.logger.info(`The search index is up to date again: ${count} records looked at.`);
      } catch (error) {
        this.logger.error(
          "The search index could not be brought up to date; the next start tries again.",
          error,
        );
      }
    },
  },
};

export default recordsService;

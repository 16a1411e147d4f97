import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { reindex } from "../../db/listing/reindex.ts";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import { type OneItemParams, oneItemSchema } from "../../mixins/params.schema.ts";
import { searchIndexMixin } from "../../mixins/search-index.mixin.ts";
import {
  type BulkCreateParams,
  type BulkRemoveParams,
  bulkCreateSchema,
  bulkRemoveSchema,
  createRecordSchema,
  type ListRecordsParams,
  listRecordsSchema,
  type NewRecord,
  type RecordPatch,
  updateRecordSchema,
} from "./record.schema.ts";
import { getRecord, listRecords } from "./record-list.ts";
import { reindexedRecords } from "./record-listing.ts";
import { RecordWriter } from "./record-writer.ts";

interface RecordsService extends Service, OutboxHost {
  writer: RecordWriter;
}

const action = actionOf<RecordsService>();

/** Data records: see docs/architecture.md for how lists, totals and searches stay flat. */
const recordsService: ServiceSchema<ServiceSettingSchema, object, object, RecordsService> = {
  name: "records",
  mixins: [
    outboxMixin,
    searchIndexMixin("records", (database, signal) => reindex(database, reindexedRecords, signal)),
  ],
  actions: {
    list: action<ListRecordsParams>({
      permission: "read",
      schema: listRecordsSchema,
      handler(ctx) {
        return listRecords(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    get: action<OneItemParams>({
      permission: "read",
      schema: oneItemSchema,
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
    remove: action<OneItemParams>({
      permission: "writeRecords",
      schema: oneItemSchema,
      async handler(ctx) {
        await this.writer.remove(callerOf(ctx), ctx.params.id);
        return null;
      },
    }),
    bulkCreate: action<BulkCreateParams>({
      permission: "writeRecords",
      schema: bulkCreateSchema,
      handler(ctx) {
        return this.writer.createMany(callerOf(ctx), ctx.params.records);
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
  },
};

export default recordsService;

import type { Database } from "../../../../../db/database.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import type { EventName } from "../../../../../lib/event-names.ts";
import { newId } from "../../../../../lib/ids.ts";
import type { ListResult } from "../../../../../lib/paging.ts";
import { Outbox, type OutboxNotice } from "../../../../../mixins/outbox.ts";
import type {
  ListRecordsParams,
  NewRecord,
  RecordResource,
} from "../../../../../services/records/record.schema.ts";
import { getRecord, listRecords } from "../../../../../services/records/record-list.ts";
import { RecordWriter } from "../../../../../services/records/record-writer.ts";
import { newTestClock, type TestClock } from "../../../../support/test-clock.ts";

/** A new workspace on a database, and everything that writes and reads its records. */
export interface TestWorkspace {
  readonly caller: Caller;
  readonly writer: RecordWriter;
  readonly clock: TestClock;
  /** What was told after commits, in that order. */
  readonly notices: (OutboxNotice & { readonly event: EventName })[];
  list(params?: ListRecordsParams): Promise<ListResult<RecordResource>>;
  get(id: string): Promise<RecordResource>;
  create(record?: Partial<NewRecord>): Promise<RecordResource>;
}

/** Every test has a workspace to itself, so that tests can share a database. */
export function newTestWorkspace(database: Database, clock = newTestClock()): TestWorkspace {
  const caller: Caller = {
    workspaceId: newId("workspace"),
    userId: newId("user"),
    keyId: newId("key"),
    role: "editor",
  };
  const notices: TestWorkspace["notices"] = [];
  const outbox = new Outbox(database, (event, notice) => notices.push({ event, ...notice }), clock.read);
  const writer = new RecordWriter(outbox, clock.read);
  return {
    caller,
    writer,
    clock,
    notices,
    list: (params = {}) => listRecords(database.read, caller, params),
    get: (id) => getRecord(database.read, caller, id),
    create: (record) => writer.create(caller, { name: "A record", type: "note", ...record }),
  };
}

/** An id that no record has. */
export function unknownId(): string {
  return newId("record");
}

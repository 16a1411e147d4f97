import { type CountedItem, changeCounts } from "../../db/listing/list-counts.ts";
import { splitWords } from "../../db/listing/stored-words.ts";
import { deleteWords, insertWords, replaceWords, type WordEntry } from "../../db/listing/word-index.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import { idTimeMs, newId } from "../../lib/ids.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { Outbox, OutboxEvent, OutboxTransaction } from "../../mixins/outbox.ts";
import type { RecordRow } from "./record.entity.ts";
import { deleteRecords, insertRecords, lockRecords, updateRecord } from "./record.repository.ts";
import type { CreatedRecords, NewRecord, RecordPatch, RecordResource } from "./record.schema.ts";
import { checkPatchSize, mergeFields, storeContent } from "./record-content.ts";
import { recordListing } from "./record-listing.ts";
import { readFields, readTags, toResource } from "./record-view.ts";

/** Everything that changes records. Rows, words, counts and events of one request come together or not at all. */
export class RecordWriter {
  readonly #outbox: Outbox;
  readonly #nowMs: () => number;

  constructor(outbox: Outbox, nowMs: () => number = Date.now) {
    this.#outbox = outbox;
    this.#nowMs = nowMs;
  }

  /** Creates one record. Throws 400 where it is over its size. */
  async create(caller: Caller, record: NewRecord): Promise<RecordResource> {
    const row = this.#newRow(caller, record, "");
    const created = toResource(row);
    return await this.#insert(caller, [row], [created], created);
  }

  /** Creates all records or none. They come back in the order in which they were given. */
  async createMany(caller: Caller, records: readonly NewRecord[]): Promise<CreatedRecords> {
    const pause = createPacer();
    const rows: RecordRow[] = [];
    const items: RecordResource[] = [];
    for (const [index, record] of records.entries()) {
      const row = this.#newRow(caller, record, `records.${index}`);
      rows.push(row);
      items.push(toResource(row));
      await pause();
    }
    return await this.#insert(caller, rows, items, { items, created: items.length });
  }

  #newRow({ workspaceId }: Caller, record: NewRecord, path: string): RecordRow {
    const content = storeContent({ fields: {}, tags: [], ...record }, path);
    const id = newId("record", this.#nowMs());
    const createdAtMs = idTimeMs("record", id);
    return {
      id,
      workspace_id: workspaceId,
      status: "active",
      created_at: createdAtMs,
      updated_at: createdAtMs,
      ...content,
    };
  }

  /** Writes new rows, shown to receivers of events as `created`, and gives the answer back once they are durable. */
  async #insert<Answer>(
    caller: Caller,
    rows: readonly RecordRow[],
    created: readonly RecordResource[],
    answer: Answer,
  ): Promise<Answer> {
    const words = await entriesByWord(rows);
    return await this.#outbox.transaction(caller, async (transaction) => {
      transaction.expectChanges(rows.reduce((sum, row) => sum + roughEntries(row), 0));
      await insertRecords(transaction, rows);
      await insertWords(transaction, recordListing.index, caller.workspaceId, allEntries(words));
      await this.#tell(transaction, caller, "record.created", created);
      await changeCounts(transaction, recordListing, caller.workspaceId, { come: rows.map(counted) });
      return answer;
    });
  }

  /**
   * Changes the members that the patch has. Two patches at once both take effect: each is merged into what
   * the other left. An empty patch changes nothing and tells nobody.
   * @throws ServiceError 404, or 400 where the patch or the merged record is over a limit
   */
  async update(caller: Caller, { id, ...patch }: RecordPatch): Promise<RecordResource> {
    checkPatchSize(patch);
    return await this.#outbox.transaction(caller, async (transaction) => {
      const [row] = await lockRecords(transaction, caller.workspaceId, [id]);
      if (!row) throw notFound("record");
      if (Object.keys(patch).length === 0) return toResource(row);
      const next = this.#patched(row, patch);
      transaction.expectChanges(roughEntries(row) + roughEntries(next));
      await updateRecord(transaction, next);
      await replaceWords(transaction, recordListing.index, row, next.words);
      const updated = toResource(next);
      await this.#tell(transaction, caller, "record.updated", [updated]);
      await changeCounts(transaction, recordListing, caller.workspaceId, {
        gone: [counted(row)],
        come: [counted(next)],
      });
      return updated;
    });
  }

  #patched(row: RecordRow, patch: Omit<RecordPatch, "id">): RecordRow {
    const content = storeContent({
      name: patch.name ?? row.name,
      type: row.type,
      fields: mergeFields(readFields(row.fields), patch.fields),
      tags: patch.tags ?? readTags(row.tags),
    });
    // Later than before even where the clock stood still, so that a change always shows.
    const updatedAtMs = Math.max(this.#nowMs(), row.updated_at + 1);
    return { ...row, ...content, status: patch.status ?? row.status, updated_at: updatedAtMs };
  }

  /** Removes one record for good. Throws 404 where there is none. */
  async remove(caller: Caller, id: string): Promise<void> {
    const deleted = await this.removeMany(caller, [id]);
    if (deleted === 0) throw notFound("record");
  }

  /** Removes those of the records that there are, and gives their number. */
  async removeMany(caller: Caller, ids: readonly string[]): Promise<number> {
    return await this.#outbox.transaction(caller, async (transaction) => {
      const rows = await lockRecords(transaction, caller.workspaceId, [...new Set(ids)]);
      transaction.expectChanges(rows.reduce((sum, row) => sum + roughEntries(row), 0));
      const pause = createPacer();
      for (const row of rows) {
        await deleteWords(
          transaction,
          recordListing.index,
          caller.workspaceId,
          row.id,
          splitWords(row.words),
        );
        await pause();
      }
      await deleteRecords(
        transaction,
        rows.map(({ id }) => id),
      );
      await this.#tell(transaction, caller, "record.deleted", shown(rows));
      await changeCounts(transaction, recordListing, caller.workspaceId, { gone: rows.map(counted) });
      return rows.length;
    });
  }

  async #tell(
    transaction: OutboxTransaction,
    { userId }: Caller,
    event: RecordEvent,
    records: Iterable<RecordResource>,
  ): Promise<void> {
    const pause = createPacer();
    const events: OutboxEvent[] = [];
    for (const record of records) {
      events.push({ event, data: { ...record, [actors[event]]: userId } });
      await pause();
    }
    await transaction.emit(events);
  }
}

/** The member of an event's data that names the acting user. */
const actors = {
  "record.created": "created_by",
  "record.updated": "updated_by",
  "record.deleted": "deleted_by",
} as const;

type RecordEvent = keyof typeof actors;

/** The rows as the interface shows them, each made when it is asked for: all at once would hold the process. */
function* shown(rows: readonly RecordRow[]): Generator<RecordResource> {
  for (const row of rows) yield toResource(row);
}

function counted({ id, type, status }: RecordRow): CountedItem {
  return { id, group: type, status };
}

/** How many index entries a record has, roughly and without taking its words apart: most have three letters or more. */
function roughEntries({ words }: RecordRow): number {
  return Math.ceil(words.length / 4);
}

/** The index entries of records, those of a word together: they are neighbours in the index. */
async function entriesByWord(rows: readonly RecordRow[]): Promise<Map<string, WordEntry[]>> {
  const pause = createPacer();
  const byWord = new Map<string, WordEntry[]>();
  for (const { id, words } of rows) {
    for (const word of splitWords(words)) {
      const entries = byWord.get(word);
      if (entries) entries.push({ word, id });
      else byWord.set(word, [{ word, id }]);
    }
    await pause();
  }
  return byWord;
}

/** One after the other: a list of them all would hold the process while it is made. */
function* allEntries(byWord: ReadonlyMap<string, readonly WordEntry[]>): Generator<WordEntry> {
  for (const entries of byWord.values()) yield* entries;
}

import type { Sql, Transaction } from "../../db/database.ts";
import type { Dialect } from "../../db/dialect.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { idPrefixes } from "../../lib/ids.ts";
import type { RecordRow } from "./record.entity.ts";
import type { RecordFilter } from "./record-order.ts";

type CountedRecord = Pick<RecordRow, "id" | "type" | "status">;

const ALL_TYPES = "";
const keyColumns = ["workspace_id", "type", "status", "slot"];

/** SQLite has one writer at a time anyway; elsewhere this many can count the same thing at once. */
const slots: Readonly<Record<Dialect, number>> = { sqlite: 1, mysql: 16 };

/** Where in an id its random part begins: records made at one moment by one process share what follows. */
const RANDOM_PART_AT = idPrefixes.record.length + 10;

interface CountChange {
  readonly type: string;
  readonly status: string;
  readonly slot: number;
  by: number;
}

/** By how much the counts change in a transaction: add what comes and what goes, then write it once. */
export class CountChanges {
  readonly #dialect: Dialect;
  readonly #changes = new Map<string, CountChange>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add({ id, type, status }: CountedRecord, by: 1 | -1): void {
    // A record is always counted in the same slot, so that a slot that comes to zero can go.
    const slot = id.charCodeAt(RANDOM_PART_AT) % slots[this.#dialect];
    this.#addTo({ type, status, slot, by });
    this.#addTo({ type: ALL_TYPES, status, slot, by });
  }

  #addTo(change: CountChange): void {
    const key = JSON.stringify([change.type, change.status, change.slot]);
    const sum = this.#changes.get(key);
    if (sum) sum.by += change.by;
    else this.#changes.set(key, change);
  }

  /** Adds the changes to the workspace's counters; call it last, for it holds rows that others want too. */
  async write(transaction: Transaction, workspaceId: string): Promise<void> {
    // All writers take the counters in the same order, so that they do not wait for each other in a ring.
    const changes = [...this.#changes.entries()]
      .filter(([, { by }]) => by !== 0)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, change]) => change);
    await insertRows(
      transaction,
      "record_counts",
      [...keyColumns, "count"],
      changes.map(({ type, status, slot, by }) => [workspaceId, type, status, slot, by]),
      { suffix: dialectSql[transaction.dialect].addOnConflict(keyColumns, "count") },
    );
    for (const change of changes) {
      if (change.by < 0) await removeZero(transaction, workspaceId, change);
    }
  }
}

/** Types that come and go must not leave counters of nothing behind. */
async function removeZero(
  transaction: Transaction,
  workspaceId: string,
  { type, status, slot }: CountChange,
): Promise<void> {
  await transaction.execute(
    "DELETE FROM record_counts WHERE workspace_id = ? AND type = ? AND status = ? AND slot = ? AND count = 0",
    [workspaceId, type, status, slot],
  );
}

/** How many records match the filter: a handful of rows to add up, whatever the size of the workspace. */
export async function countRecords(sql: Sql, { workspaceId, type, status }: RecordFilter): Promise<number> {
  // No record's type is empty, and under the empty one stands the sum over all types.
  if (type === ALL_TYPES) return 0;
  const where = "workspace_id = ? AND type = ?";
  const parameters = [workspaceId, type ?? ALL_TYPES];
  const rows =
    status === undefined
      ? await sql.query<{ count: number }>(`SELECT count FROM record_counts WHERE ${where}`, parameters)
      : await sql.query<{ count: number }>(`SELECT count FROM record_counts WHERE ${where} AND status = ?`, [
          ...parameters,
          status,
        ]);
  return rows.reduce((total, { count }) => total + count, 0);
}

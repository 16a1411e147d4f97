import { idPrefixes } from "../../lib/ids.ts";
import type { Sql, Transaction } from "../database.ts";
import { type Dialect, dialectSql } from "../dialect.ts";
import { insertRows } from "../insert-rows.ts";
import type { ListFilter, Listing } from "./listing.ts";

/** What of a listed thing decides where it is counted. */
export interface CountedItem {
  readonly id: string;
  readonly group: string;
  readonly status: string;
}

/** Under the empty group stands the sum over all groups: no thing's group is empty. */
const ALL_GROUPS = "";

/** SQLite has one writer at a time anyway; elsewhere this many can count the same thing at once. */
const slots: Readonly<Record<Dialect, number>> = { sqlite: 1, mysql: 16 };

/** Where in an id, behind its prefix, the random part begins: ids made at one moment by one process share what follows. */
const RANDOM_PART_AT = 10;

interface CountChange {
  readonly group: string;
  readonly status: string;
  readonly slot: number;
  by: number;
}

const keyColumnsOf = ({ group }: Listing) => ["workspace_id", group, "status", "slot"];

/**
 * Counts things that went and things that came. Make it the last step of a transaction, for it holds counters
 * that others want too.
 */
export async function changeCounts(
  transaction: Transaction,
  listing: Listing,
  workspaceId: string,
  {
    gone = [],
    come = [],
  }: { readonly gone?: readonly CountedItem[]; readonly come?: readonly CountedItem[] },
): Promise<void> {
  const changes = new CountChanges(listing, transaction.dialect);
  for (const item of gone) changes.add(item, -1);
  for (const item of come) changes.add(item, 1);
  await changes.write(transaction, workspaceId);
}

/** By how much the counts change in a transaction. */
class CountChanges {
  readonly #listing: Listing;
  readonly #dialect: Dialect;
  readonly #changes = new Map<string, CountChange>();

  constructor(listing: Listing, dialect: Dialect) {
    this.#listing = listing;
    this.#dialect = dialect;
  }

  add({ id, group, status }: CountedItem, by: 1 | -1): void {
    // A thing is always counted in the same slot, so that a slot that comes to zero can go. An id that was not
    // made here may be too short to have one: it is counted in the first.
    const character = id.charCodeAt(idPrefixes[this.#listing.idKind].length + RANDOM_PART_AT) || 0;
    const slot = character % slots[this.#dialect];
    this.#addTo({ group, status, slot, by });
    this.#addTo({ group: ALL_GROUPS, status, slot, by });
  }

  #addTo(change: CountChange): void {
    const key = JSON.stringify([change.group, change.status, change.slot]);
    const sum = this.#changes.get(key);
    if (sum) sum.by += change.by;
    else this.#changes.set(key, change);
  }

  /** Adds the changes to the workspace's counters. */
  async write(transaction: Transaction, workspaceId: string): Promise<void> {
    // All writers take the counters in the same order, so that they do not wait for each other in a ring.
    const changes = [...this.#changes.entries()]
      .filter(([, { by }]) => by !== 0)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, change]) => change);
    const keyColumns = keyColumnsOf(this.#listing);
    await insertRows(
      transaction,
      this.#listing.counts,
      [...keyColumns, "count"],
      changes.map(({ group, status, slot, by }) => [workspaceId, group, status, slot, by]),
      { suffix: dialectSql[transaction.dialect].addOnConflict(keyColumns, "count") },
    );
    for (const change of changes) {
      if (change.by < 0) await this.#removeZero(transaction, workspaceId, change);
    }
  }

  /** Groups that come and go must not leave counters of nothing behind. */
  async #removeZero(
    transaction: Transaction,
    workspaceId: string,
    { group, status, slot }: CountChange,
  ): Promise<void> {
    const key = keyColumnsOf(this.#listing).map((column) => `${column} = ?`);
    await transaction.execute(
      `DELETE FROM ${this.#listing.counts} WHERE ${key.join(" AND ")} AND count = 0`,
      [workspaceId, group, status, slot],
    );
  }
}

/** How many things match the filter: a handful of rows to add up, whatever the size of the workspace. */
export async function countItems(
  sql: Sql,
  listing: Listing,
  { workspaceId, group, status }: ListFilter,
): Promise<number> {
  if (group === ALL_GROUPS) return 0;
  const ofGroup = `SELECT count FROM ${listing.counts} WHERE workspace_id = ? AND ${listing.group} = ?`;
  const parameters = [workspaceId, group ?? ALL_GROUPS];
  const rows =
    status === undefined
      ? await sql.query<{ count: number }>(ofGroup, parameters)
      : await sql.query<{ count: number }>(`${ofGroup} AND status = ?`, [...parameters, status]);
  return rows.reduce((total, { count }) => total + count, 0);
}

import type { Database } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { lanes } from "../../lib/delivery-states.ts";
import { newId } from "../../lib/ids.ts";
import type { DeliveryRow } from "../../services/dispatcher/delivery.entity.ts";
import type { AttemptRow } from "../../services/dispatcher/delivery-attempt.entity.ts";
import type { QueuedRow } from "../../services/dispatcher/delivery-queue.entity.ts";

export interface QueuedDelivery {
  readonly targetId: string;
  readonly lane?: QueuedRow["lane"];
  /** From now; what is below 0 was due before. */
  readonly dueInMs?: number;
  readonly attemptCount?: number;
}

/** Puts deliveries on the queue that nobody has claimed, and gives their ids. */
export async function enqueue(database: Database, deliveries: readonly QueuedDelivery[]): Promise<string[]> {
  const made = deliveries.map((delivery) => ({ id: newId("delivery"), ...delivery }));
  const { nowMs } = dialectSql[database.dialect];
  await database.transaction(async (transaction) => {
    const columns = "id workspace_id event_id event channel target_id status attempt_count created_at".split(
      " ",
    );
    const rows = made.map(({ id, targetId, attemptCount = 0 }) => [
      ...[id, "ws_1", newId("event"), "record.created", "webhook", targetId, "pending", attemptCount],
    ]);
    await insertRows(transaction, "deliveries", columns, rows, { expression: nowMs });
    for (const [dueInMs, group] of Map.groupBy(made, (one) => one.dueInMs ?? -1_000)) {
      await insertRows(
        transaction,
        "delivery_queue",
        ["delivery_id", "channel", "target_id", "lane", "due_at"],
        group.map(({ id, targetId, lane = lanes.first }) => [id, "webhook", targetId, lane]),
        { expression: `${nowMs} + (${dueInMs})` },
      );
    }
  });
  return made.map(({ id }) => id);
}

/** Everything that is stored of a target's deliveries, by their ids. */
export async function dumpTarget({ read }: Database, targetId: string) {
  const attempts = `SELECT a.* FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
    WHERE d.target_id = ? ORDER BY a.delivery_id, a.number`;
  return {
    deliveries: await read.query<DeliveryRow>("SELECT * FROM deliveries WHERE target_id = ? ORDER BY id", [
      targetId,
    ]),
    queue: await read.query<QueuedRow>(
      "SELECT * FROM delivery_queue WHERE target_id = ? ORDER BY delivery_id",
      [targetId],
    ),
    attempts: await read.query<AttemptRow>(attempts, [targetId]),
  };
}

/** Lets every wait of a target end, the leases of its claims too, as time would. */
export async function letWaitsEnd(database: Database, targetId: string): Promise<void> {
  await database.transaction((transaction) =>
    transaction.execute(
      `UPDATE delivery_queue SET due_at = ${dialectSql[database.dialect].nowMs} - 1 WHERE target_id = ?`,
      [targetId],
    ),
  );
}

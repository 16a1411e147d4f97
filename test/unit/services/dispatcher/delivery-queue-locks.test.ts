import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { openMySql } from "../../../../db/mysql.ts";
import { lanes } from "../../../../lib/delivery-states.ts";
import { lockDue } from "../../../../services/dispatcher/delivery-queue.repository.ts";
import { DeliveryQueue } from "../../../../services/dispatcher/delivery-queue.ts";
import { describeMariaDb, startMariaDb } from "../../../support/mariadb.ts";
import { enqueue } from "../../../support/test-deliveries.ts";

describeMariaDb("dispatchers that share a queue on MariaDB", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openMySql(await (await startMariaDb()).createDatabase());
  });
  afterAll(() => database.close());

  test("pass over what another one is just claiming, and wait for nobody", async () => {
    const ids = await enqueue(database, Array(5).fill({ targetId: "wh_a" }));
    const queue = new DeliveryQueue(database);
    const claimed = await database.transaction(async (transaction) => {
      // Another dispatcher in the middle of its claim: whoever waited for it would do so until this ends.
      const held = await lockDue(transaction, { target_id: "wh_a", lane: lanes.first }, 2);
      expect(held.map(({ delivery_id }) => delivery_id)).toEqual(ids.slice(0, 2));
      return await queue.claim("wh_a", lanes.first, 4);
    });
    expect(claimed.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.slice(2).sort());
  });
});

import { expect } from "@jest/globals";
import { openDatabase } from "../../../../db/open-database.ts";
import type { Config } from "../../../../lib/config.ts";
import { contradictions, recordEvents } from "../../../support/contradictions.ts";
import { request, type Target } from "../../../support/http.ts";
import type { RetryStorm } from "../../../support/retry-storm.ts";

/** Exactly one record and one event for each key, and each of its clients read the same bytes. */
export async function expectEachOnce(
  storm: RetryStorm,
  storage: Config["storage"],
  target: Target,
): Promise<void> {
  expect(storm.surprises).toEqual([]);
  const { creates, clientsEach } = storm.options;
  expect(storm.answered).toBe(creates * clientsEach);
  const answers = [...storm.answers.values()];
  expect(answers.map((texts) => new Set(texts).size)).toEqual(Array(creates).fill(1));
  const answered = answers.map(([text = ""]): string => JSON.parse(text).data.id).sort();

  const { body } = await request(target, "GET", "/v1/data?per_page=1");
  expect(body.meta.total).toBe(creates);
  const database = await openDatabase(storage);
  try {
    const records = await database.read.query<{ id: string }>("SELECT id FROM records ORDER BY id");
    expect(records.map(({ id }) => id)).toEqual(answered);
    const events = await recordEvents(database.read);
    expect(events.map(({ event, data }) => `${event} ${data.id}`).sort()).toEqual(
      answered.map((id) => `record.created ${id}`),
    );
    expect(await contradictions(database)).toEqual([]);
    const left = await database.read.query("SELECT 1 FROM idempotency_keys WHERE claim_id IS NOT NULL");
    expect(left).toEqual([]);
  } finally {
    await database.close();
  }
}

/** What a killed process had claimed ends by itself, but a test does not wait that long. */
export async function expireClaims(storage: Config["storage"]): Promise<void> {
  const database = await openDatabase(storage);
  await database.transaction((transaction) =>
    transaction.execute("UPDATE idempotency_keys SET expires_at = 0 WHERE claim_id IS NOT NULL"),
  );
  await database.close();
}

import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Transaction } from "../../../db/database.ts";
import { WriteQueue } from "../../../db/write-queue.ts";
import { waitFor } from "../../support/wait-for.ts";
import { RecordingLanes, sqliteError } from "./support/recording-lanes.ts";

let lanes: RecordingLanes;
let queue: WriteQueue;

beforeEach(() => {
  lanes = new RecordingLanes();
  queue = new WriteQueue(lanes);
});

/** Work of one statement. */
const says = (statement: string) => async (transaction: Transaction) => {
  await transaction.execute(statement);
  return statement;
};

const fails = (error: Error) => async (transaction: Transaction) => {
  await transaction.execute("a");
  throw error;
};

const logHas = (entry: string) =>
  waitFor(() => lanes.log.includes(entry), { what: `the connection to be told ${entry}` });

describe("a large write", () => {
  const large = (name: string) => async (transaction: Transaction) => {
    await transaction.query(`read ${name}`);
    transaction.expectChanges(501);
    await transaction.execute(name);
    return name;
  };

  test("begins anew where it does not hold the process, with a commit of its own", async () => {
    expect(await queue.transaction(large("l"))).toBe("l");
    expect(lanes.log).toEqual([
      ...["BEGIN", "SAVEPOINT job", "read l", "ROLLBACK TO job", "RELEASE job", "COMMIT"],
      ...["BEGIN", "SAVEPOINT job", "read l", "l", "RELEASE job", "COMMIT"].map((entry) => `large: ${entry}`),
    ]);
  });

  test("is one of more than 500 changes", async () => {
    await queue.transaction(async (transaction) => transaction.expectChanges(500));
    expect(lanes.log.join()).not.toContain("large");
  });

  test("comes before writes that were asked for later", async () => {
    const pause = Promise.withResolvers<void>();
    const first = queue.transaction(() => pause.promise);
    const second = queue.transaction(large("l"));
    await logHas("SAVEPOINT job");
    const third = queue.transaction(says("c"));
    pause.resolve();
    await Promise.all([first, second, third]);
    expect(lanes.log.filter((entry) => /^(large: l|c|COMMIT|large: COMMIT)$/.test(entry))).toEqual([
      "COMMIT",
      "large: l",
      "large: COMMIT",
      "c",
      "COMMIT",
    ]);
  });

  test("takes nothing of the quick ones that it began among, nor they of it", async () => {
    const error = new Error("mine");
    const settled = await Promise.allSettled([
      queue.transaction(says("a")),
      queue.transaction(large("l1")),
      queue.transaction(fails(error)),
      queue.transaction(large("l2")),
      queue.transaction(says("z")),
    ]);
    expect(
      settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason)),
    ).toEqual(["a", "l1", error, "l2", "z"]);
    expect(lanes.log.filter((entry) => entry === "large: COMMIT")).toHaveLength(2);
  });

  test("that fails leaves nothing, and alone", async () => {
    lanes.next("large: l1", { error: sqliteError("SQLITE_CONSTRAINT_UNIQUE") });
    const settled = await Promise.allSettled([
      queue.transaction(large("l1")),
      queue.transaction(large("l2")),
    ]);
    expect(settled).toMatchObject([{ reason: { name: "UniqueViolation" } }, { value: "l2" }]);
    expect(lanes.log.filter((entry) => entry === "large: ROLLBACK TO job")).toHaveLength(1);
  });

  test("is begun anew although the commit of the quick ones fails", async () => {
    lanes.next("COMMIT", { error: sqliteError("SQLITE_FULL") });
    const settled = await Promise.allSettled([queue.transaction(says("a")), queue.transaction(large("l"))]);
    expect(settled).toMatchObject([{ reason: { errorCode: "unavailable" } }, { value: "l" }]);
  });
});

import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Transaction } from "../../../db/database.ts";
import { WriteQueue } from "../../../db/write-queue.ts";
import { ServiceError } from "../../../lib/errors.ts";
import { waitFor } from "../../support/wait-for.ts";
import { arrivals, everythingElse } from "./support/arrivals.ts";
import { RecordingLanes, sqliteError } from "./support/recording-lanes.ts";

const unavailable = expect.objectContaining({ errorCode: "unavailable", retryAfterSeconds: 1 });

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

describe("one write", () => {
  test("has a transaction with a savepoint, and gives what the work gives", async () => {
    expect(await queue.transaction(says("a"))).toBe("a");
    expect(lanes.log).toEqual(["BEGIN", "SAVEPOINT job", "a", "RELEASE job", "COMMIT"]);
  });

  test("that fails leaves nothing and fails with its own error", async () => {
    const error = new Error("mine");
    await expect(queue.transaction(fails(error))).rejects.toBe(error);
    expect(lanes.log.slice(2, -1)).toEqual(["a", "ROLLBACK TO job", "RELEASE job"]);
  });

  test("that throws before its first statement does so too", async () => {
    const error = new Error("mine");
    const work = () => {
      throw error;
    };
    await expect(queue.transaction(work)).rejects.toBe(error);
  });
});

describe("writes that wait at the same time", () => {
  test("share one commit, in the order in which they were asked for", async () => {
    const results = await Promise.all(["a", "b", "c"].map((name) => queue.transaction(says(name))));
    expect(results).toEqual(["a", "b", "c"]);
    const job = (name: string) => ["SAVEPOINT job", name, "RELEASE job"];
    expect(lanes.log).toEqual(["BEGIN", ...job("a"), ...job("b"), ...job("c"), "COMMIT"]);
  });

  test("are at most 64 to a commit", async () => {
    const names = Array.from({ length: 130 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => queue.transaction(says(name))));
    const commits = lanes.log.flatMap((entry, at) => (entry === "COMMIT" ? [at] : []));
    expect(commits).toHaveLength(3);
    expect(lanes.log.slice(0, commits[0]).filter((entry) => entry.startsWith("s"))).toHaveLength(64);
    expect(lanes.log.filter((entry) => entry.startsWith("s"))).toEqual(names);
  });

  test("lose nothing to one of them that fails", async () => {
    const error = new Error("mine");
    const settled = await Promise.allSettled([
      queue.transaction(says("before")),
      queue.transaction(fails(error)),
      queue.transaction(says("after")),
    ]);
    expect(settled).toEqual([
      { status: "fulfilled", value: "before" },
      { status: "rejected", reason: error },
      { status: "fulfilled", value: "after" },
    ]);
    expect(lanes.log.slice(4, -4)).toEqual(["SAVEPOINT job", "a", "ROLLBACK TO job", "RELEASE job"]);
    expect(lanes.log.filter((entry) => entry === "ROLLBACK")).toEqual([]);
  });

  test("run one after the other, however long one takes", async () => {
    const pause = Promise.withResolvers<void>();
    const slow = queue.transaction(async (transaction) => {
      await transaction.execute("first half");
      await pause.promise;
      await transaction.execute("second half");
    });
    const other = queue.transaction(says("other"));
    await logHas("first half");
    await everythingElse();
    expect(lanes.log).not.toContain("other");
    pause.resolve();
    await Promise.all([slow, other]);
    expect(lanes.log.indexOf("other")).toBeGreaterThan(lanes.log.indexOf("second half"));
  });
});

describe("a write that is asked for while others run", () => {
  test("waits for their commit and has the next one", async () => {
    const pause = Promise.withResolvers<void>();
    const first = queue.transaction(() => pause.promise);
    await logHas("SAVEPOINT job");
    const second = queue.transaction(says("b"));
    await everythingElse();
    expect(lanes.take()).toEqual(["BEGIN", "SAVEPOINT job"]);
    pause.resolve();
    await Promise.all([first, second]);
    expect(lanes.log).toEqual([
      "RELEASE job",
      "COMMIT",
      "BEGIN",
      "SAVEPOINT job",
      "b",
      "RELEASE job",
      "COMMIT",
    ]);
  });

  test("may be asked for by work that has just ended", async () => {
    await queue.transaction(says("a"));
    await queue.transaction(says("b"));
    expect(lanes.log.filter((entry) => entry === "COMMIT")).toHaveLength(2);
  });
});

describe("before the commit", () => {
  test("nobody is told that it succeeded", async () => {
    const commit = Promise.withResolvers<void>();
    lanes.next("COMMIT", { until: commit.promise });
    const asked = ["a", "b"].map((name) => queue.transaction(says(name)));
    const told = arrivals(asked);
    await logHas("COMMIT");
    await everythingElse();
    expect(told).toEqual([]);
    commit.resolve();
    await Promise.all(asked);
    expect(told).toEqual(["a", "b"]);
  });

  test("everybody learns that it failed: all are rolled back, and later ones go on", async () => {
    const error = sqliteError("SQLITE_IOERR_FSYNC");
    lanes.next("COMMIT", { error });
    const settled = await Promise.allSettled(["a", "b"].map((name) => queue.transaction(says(name))));
    expect(settled).toEqual([
      { status: "rejected", reason: unavailable },
      { status: "rejected", reason: unavailable },
    ]);
    expect(lanes.take().slice(-2)).toEqual(["COMMIT", "ROLLBACK"]);
    expect(await queue.transaction(says("later"))).toBe("later");
  });

  test("one that failed by itself keeps its own reason when the commit fails too", async () => {
    const error = new Error("mine");
    lanes.next("COMMIT", { error: sqliteError("SQLITE_FULL") });
    const settled = await Promise.allSettled([queue.transaction(fails(error)), queue.transaction(says("b"))]);
    expect(settled).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: unavailable },
    ]);
  });
});

describe("a write lock that cannot be had", () => {
  test("fails those that wait for it, before any of their statements, and nobody later", async () => {
    lanes.next("BEGIN", { error: sqliteError("SQLITE_BUSY") });
    const settled = await Promise.allSettled(["a", "b"].map((name) => queue.transaction(says(name))));
    expect(settled.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual([
      unavailable,
      unavailable,
    ]);
    expect(lanes.take().filter((entry) => /a|b/.test(entry))).toEqual([]);
    expect(await queue.transaction(says("later"))).toBe("later");
  });
});

describe("a transaction that SQLite itself gives up", () => {
  /** What happens on a full disk: the savepoint is gone with the transaction. */
  function giveUp(): Error {
    const full = sqliteError("SQLITE_FULL", "database or disk is full");
    lanes.next("a", { error: full });
    lanes.next("ROLLBACK TO job", { error: sqliteError("SQLITE_ERROR", "no such savepoint: job") });
    return full;
  }

  test("takes all of its group with it: each is told to try again", async () => {
    giveUp();
    const settled = await Promise.allSettled(
      ["before", "a", "after"].map((name) => queue.transaction(says(name))),
    );
    expect(settled.map((outcome) => outcome.status === "rejected" && outcome.reason)).toEqual([
      unavailable,
      unavailable,
      unavailable,
    ]);
    expect(lanes.log).not.toContain("COMMIT");
    expect(lanes.log).not.toContain("after");
    expect(lanes.log.at(-1)).toBe("ROLLBACK");
  });

  test("tells the one that it happened to what happened, and the others nothing of that one's own error", async () => {
    const error = new Error("mine");
    lanes.next("ROLLBACK TO job", { error: sqliteError("SQLITE_ERROR", "no such savepoint: job") });
    const settled = await Promise.allSettled([
      queue.transaction(says("before")),
      queue.transaction(fails(error)),
    ]);
    expect(settled).toEqual([
      { status: "rejected", reason: unavailable },
      { status: "rejected", reason: error },
    ]);
  });

  test("is no obstacle to the next", async () => {
    giveUp();
    await expect(queue.transaction(says("a"))).rejects.toThrow(ServiceError);
    expect(await queue.transaction(says("later"))).toBe("later");
    expect(lanes.log.at(-1)).toBe("COMMIT");
  });
});

describe("a transaction that is over", () => {
  test.each([
    ["succeeded", says("a")],
    ["failed", fails(new Error("mine"))],
  ])("because it %s takes no more statements, which would be in another's", async (_, work) => {
    const kept: Transaction[] = [];
    await queue
      .transaction((transaction) => {
        kept.push(transaction);
        return work(transaction);
      })
      .catch(() => {});
    const [over] = kept;
    await expect(over?.execute("stray")).rejects.toThrow(/over/);
    await expect(over?.query("stray")).rejects.toThrow(/over/);
    expect(lanes.log).not.toContain("stray");
  });
});

describe("the close of a queue", () => {
  test("waits for everything that was asked for, failures and large writes included", async () => {
    const told = arrivals([
      queue.transaction(says("a")),
      queue.transaction(fails(new Error("mine"))),
      queue.transaction(async (transaction) => transaction.expectChanges(1_000)),
    ]);
    await queue.close(60_000);
    await everythingElse();
    expect(told).toHaveLength(3);
    expect(lanes.log.at(-1)).toBe("large: COMMIT");
  });

  test("waits no longer than it may: what has not begun by then fails", async () => {
    const endless = queue.transaction(() => new Promise(() => {}));
    endless.catch(() => {});
    await logHas("SAVEPOINT job");
    const waiting = queue.transaction(says("late"));
    await Promise.all([queue.close(1), expect(waiting).rejects.toEqual(unavailable)]);
    expect(lanes.log).not.toContain("late");
  });

  test("is at once where nothing was asked for, and refuses what is asked for later", async () => {
    await expect(queue.close(60_000)).resolves.toBeUndefined();
    await expect(queue.transaction(says("a"))).rejects.toEqual(unavailable);
    expect(lanes.log).toEqual([]);
  });
});

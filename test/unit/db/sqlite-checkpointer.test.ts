import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Sql } from "../../../db/database.ts";
import { SqliteCheckpointer } from "../../../db/sqlite-checkpointer.ts";

const PASSIVE = "PRAGMA wal_checkpoint(PASSIVE)";
const RESTART = "PRAGMA wal_checkpoint(RESTART)";

let said: string[];
let answer: () => Promise<{ log: number }[]>;
let checkpointer: SqliteCheckpointer;

beforeEach(() => {
  jest.useFakeTimers();
  said = [];
  answer = async () => [{ log: 10 }];
  const sql: Sql = {
    dialect: "sqlite",
    query: async <Row>(statement: string) => {
      said.push(statement);
      const rows: unknown[] = await answer();
      return rows as Row[];
    },
    execute: async () => 0,
  };
  checkpointer = new SqliteCheckpointer(sql, 1_000);
});

afterEach(() => {
  checkpointer.close();
  jest.useRealTimers();
});

describe("what is committed", () => {
  test("is moved to the database file within the interval, once for many commits", async () => {
    for (let commit = 0; commit < 100; commit += 1) checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(999);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(said).toEqual([PASSIVE]);
  });

  test("afterwards is moved again; without a commit nothing is", async () => {
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(said).toEqual([PASSIVE]);
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([PASSIVE, PASSIVE]);
  });

  test("is not waited for by anybody: one checkpoint at a time", async () => {
    const running = Promise.withResolvers<{ log: number }[]>();
    answer = () => running.promise;
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(said).toEqual([PASSIVE]);
    running.resolve([{ log: 1 }]);
  });
});

describe("a log that grows beyond its limit", () => {
  test("begins anew: writers wait for that", async () => {
    answer = async () => [{ log: 16_385 }];
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([PASSIVE, RESTART]);
  });

  test("goes on up to it", async () => {
    answer = async () => [{ log: 16_384 }];
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([PASSIVE]);
  });
});

describe("a checkpoint that fails", () => {
  test("troubles nobody, and the next commit asks again", async () => {
    answer = async () => {
      throw new Error("database is locked");
    };
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(said).toEqual([PASSIVE, PASSIVE]);
  });
});

describe("a checkpointer that is closed", () => {
  test("says nothing any more", async () => {
    checkpointer.noteCommit();
    checkpointer.close();
    checkpointer.noteCommit();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(said).toEqual([]);
  });
});

import { parentPort, workerData } from "node:worker_threads";
import Database, { type Statement } from "better-sqlite3";
import type { StatementFailure, StatementReply, StatementRequest, ThreadOptions } from "./sqlite-thread.ts";

/** Statements that stay prepared; there are few different ones, and the oldest goes first. */
const MAX_PREPARED = 200;

const { file, pragmas }: ThreadOptions = workerData;
const database = new Database(file, { fileMustExist: true, timeout: 0 });
for (const pragma of pragmas) database.pragma(pragma);

const prepared = new Map<string, Statement>();

function prepare(statement: string): Statement {
  const known = prepared.get(statement);
  if (known) return known;
  const [oldest] = prepared.keys();
  if (oldest !== undefined && prepared.size >= MAX_PREPARED) prepared.delete(oldest);
  const fresh = database.prepare(statement);
  prepared.set(statement, fresh);
  return fresh;
}

function run({ id, statement, parameters }: StatementRequest): StatementReply {
  try {
    const ready = prepare(statement);
    if (ready.reader) return { id, rows: ready.all(...parameters), affected: 0 };
    return { id, rows: [], affected: ready.run(...parameters).changes };
  } catch (error) {
    return { id, failure: describe(error) };
  }
}

/** Copies between threads keep an error's message, but not its code. */
function describe(error: unknown): StatementFailure {
  const code = error instanceof Database.SqliteError ? error.code : "";
  return { message: error instanceof Error ? error.message : String(error), code };
}

parentPort?.on("message", (request: StatementRequest) => parentPort?.postMessage(run(request)));

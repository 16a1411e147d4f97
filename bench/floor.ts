/**
 * The floor: what a careful engineer writes by hand for these five requests and nothing else. Fastify and
 * better-sqlite3 with prepared statements, the service's durability and its answers; no validation, no
 * events, no limits, COUNT(*) for totals. `--fts` keeps an FTS5 table for the search row; without it there
 * is no search and the inserts do not pay for one.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import Fastify from "fastify";
import { monotonicFactory } from "ulid";

interface Row {
  id: string;
  name: string;
  type: string;
  status: string;
  fields: string;
  tags: string;
  created_at: string;
  updated_at: string;
}

interface CreateBody {
  name: string;
  type: string;
  fields?: Record<string, string>;
  tags?: string[];
}

interface ListQuery {
  type?: string;
  status?: string;
  order?: string;
  page?: string;
  per_page?: string;
  q?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    workspace: string;
  }
}

const WORKSPACE_ID = "ws_floor";
const COLUMNS = "id, name, type, status, fields, tags, created_at, updated_at";
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

const { values: flags } = parseArgs({ options: { fts: { type: "boolean", default: false } } });
const database = openDatabase(join(process.env.DATA_DIR ?? "data", "floor.sqlite"), flags.fts);
const workspaceByKey = new Map([[process.env.BOOTSTRAP_API_KEY ?? "", WORKSPACE_ID]]);
const nextUlid = monotonicFactory();

const selectById = database.prepare<[string, string], Row>(
  `SELECT ${COLUMNS} FROM records WHERE id = ? AND workspace_id = ?`,
);
const insert = database.prepare(
  `INSERT INTO records (workspace_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const insertWords = flags.fts
  ? database.prepare("INSERT INTO records_fts (rowid, body) VALUES (?, ?)")
  : undefined;
const insertAll = database.transaction((workspace: string, bodies: CreateBody[]) =>
  bodies.map((body) => insertOne(workspace, body)),
);
const selectStatements = new Map<string, Database.Statement<unknown[], Row>>();
const countStatements = new Map<string, Database.Statement<unknown[], { total: number }>>();

const app = Fastify({ bodyLimit: BODY_LIMIT_BYTES });
app.decorateRequest("workspace", "");
app.get("/livez", () => ({ status: "ok" }));
app.get("/readyz", () => ({ status: "ok" }));

app.register(async (api) => {
  api.addHook("onRequest", (request, reply, done) => {
    const workspace = workspaceByKey.get(request.headers.authorization?.slice("Bearer ".length) ?? "");
    if (workspace === undefined) return reply.code(401).send({ success: false });
    request.workspace = workspace;
    done();
  });

  api.get<{ Params: { id: string } }>("/v1/data/:id", (request, reply) => {
    const row = selectById.get(request.params.id, request.workspace);
    if (row === undefined) return reply.code(404).send({ success: false });
    return reply.send({ success: true, data: toRecord(row) });
  });

  api.get<{ Querystring: ListQuery }>("/v1/data", (request, reply) =>
    reply.send(list(request.workspace, request.query)),
  );

  api.post<{ Body: CreateBody }>("/v1/data", (request, reply) => {
    const [record] = insertAll.immediate(request.workspace, [request.body]);
    return reply.code(201).send({ success: true, data: record });
  });

  api.post<{ Body: { records: CreateBody[] } }>("/v1/data/bulk-create", (request, reply) => {
    const data = insertAll.immediate(request.workspace, request.body.records);
    return reply.code(201).send({ success: true, data, meta: { created: data.length } });
  });
});

process.once("SIGTERM", async () => {
  await app.close();
  database.close();
});
await app.listen({ host: process.env.HOST ?? "127.0.0.1", port: Number(process.env.PORT ?? 3000) });

function openDatabase(path: string, withSearch: boolean): Database.Database {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("cache_size = -65536");
  db.exec(`CREATE TABLE IF NOT EXISTS records (
      seq INTEGER PRIMARY KEY, workspace_id TEXT NOT NULL, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      type TEXT NOT NULL, status TEXT NOT NULL, fields TEXT NOT NULL, tags TEXT NOT NULL,
      created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS records_by_filter ON records (workspace_id, type, status, created_at, id);`);
  if (
    withSearch &&
    db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'records_fts'").get() === undefined
  ) {
    db.exec(`CREATE VIRTUAL TABLE records_fts USING fts5 (
        body, content = '', tokenize = 'unicode61 remove_diacritics 2');
      INSERT INTO records_fts (rowid, body) SELECT seq, name || ' ' || (
        SELECT group_concat(value, ' ') FROM json_each(fields)) FROM records;`);
  }
  return db;
}

function insertOne(workspace: string, body: CreateBody) {
  const now = new Date().toISOString();
  const { name, type, fields = {}, tags = [] } = body;
  const id = `rec_${nextUlid()}`;
  const lists = [JSON.stringify(fields), JSON.stringify(tags)];
  const { lastInsertRowid } = insert.run(workspace, id, name, type, "active", ...lists, now, now);
  insertWords?.run(lastInsertRowid, `${name} ${Object.values(fields).join(" ")}`);
  return { id, name, type, status: "active", fields, tags, created_at: now, updated_at: now };
}

function toRecord(row: Row) {
  return { ...row, fields: JSON.parse(row.fields), tags: JSON.parse(row.tags) };
}

function list(workspace: string, query: ListQuery) {
  const page = Number(query.page ?? 1);
  const perPage = Math.min(Number(query.per_page ?? 20), 100);
  const { from, where, values } = filter(workspace, query);
  const direction = query.order === "desc" ? "DESC" : "ASC";
  const select = `SELECT ${COLUMNS} FROM ${from} WHERE ${where}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ? OFFSET ?`;
  const rows = prepared(selectStatements, select).all(...values, perPage, (page - 1) * perPage);
  const count = `SELECT COUNT(*) AS total FROM ${from} WHERE ${where}`;
  const total = prepared(countStatements, count).get(...values)?.total ?? 0;
  const last = page * perPage < total ? rows.at(-1) : undefined;
  const next_cursor = last ? Buffer.from(`${last.created_at} ${last.id}`).toString("base64url") : null;
  return { success: true, data: rows.map(toRecord), meta: { page, per_page: perPage, total, next_cursor } };
}

function filter(workspace: string, query: ListQuery): { from: string; where: string; values: string[] } {
  const terms = ["workspace_id = ?"];
  const values = [workspace];
  for (const column of ["type", "status"] as const) {
    const value = query[column];
    if (value === undefined) continue;
    terms.push(`${column} = ?`);
    values.push(value);
  }
  if (query.q === undefined) return { from: "records", where: terms.join(" AND "), values };
  terms.push("records_fts MATCH ?");
  values.push(query.q.replace(/\S+/g, (word) => `"${word.replaceAll('"', '""')}"*`));
  return { from: "records_fts JOIN records ON seq = records_fts.rowid", where: terms.join(" AND "), values };
}

function prepared<Result>(
  known: Map<string, Database.Statement<unknown[], Result>>,
  sql: string,
): Database.Statement<unknown[], Result> {
  const statement = known.get(sql) ?? database.prepare<unknown[], Result>(sql);
  known.set(sql, statement);
  return statement;
}

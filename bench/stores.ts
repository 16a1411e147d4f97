/**
 * Filled stores, kept between runs in `bench/.data/<server>-<count>-<version>`. A run works on copies, so
 * that what it writes does not grow them. The version is made of the table definitions that the server
 * creates and of the records' generator: a change of either seeds anew.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cp, open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { note, progress } from "./progress.ts";
import { seedRecord } from "./records.ts";
import { seed } from "./seed.ts";
import { Server, type ServerKind } from "./servers.ts";

export interface Store {
  dataDir: string;
  /** File with the ids of some of its records, one a line. */
  idsPath: string;
}

const CACHE_DIR = fileURLToPath(new URL(".data/", import.meta.url));
/** So many generated records tell one generator from another. */
const FINGERPRINT_RECORDS = 500;
const SQLITE_MAGIC = "SQLite format 3\0";

export class Stores {
  /** Folder of this run, for copies and logs. */
  readonly runDir = join(CACHE_DIR, `run-${process.pid}`);
  readonly #versions = new Map<ServerKind, string>();
  #folders = 0;

  constructor() {
    mkdirSync(this.runDir, { recursive: true });
    removeDeadRuns();
  }

  /** An empty data folder within a folder of its own, which also takes the server's log. */
  emptyDataDir(): string {
    const dataDir = join(this.runDir, String(this.#folders++), "data");
    mkdirSync(dataDir, { recursive: true });
    return dataDir;
  }

  /** A copy of the filled store that this run may write to. Seeds it where there is none yet. */
  async workingCopy(kind: ServerKind, count: number): Promise<Store> {
    const cached = await this.#cached(kind, count);
    const dataDir = this.emptyDataDir();
    await copyDurably(cached.dataDir, dataDir);
    return { dataDir, idsPath: cached.idsPath };
  }

  removeRunDir(): void {
    rmSync(this.runDir, { recursive: true, force: true });
  }

  async #cached(kind: ServerKind, count: number): Promise<Store> {
    const prefix = `${kind}-${count}-`;
    const folder = join(CACHE_DIR, prefix + (await this.#version(kind)));
    const store = { dataDir: join(folder, "data"), idsPath: join(folder, "ids.txt") };
    if (existsSync(folder)) return store;
    for (const old of readdirSync(CACHE_DIR).filter((name) => name.startsWith(prefix))) {
      rmSync(join(CACHE_DIR, old), { recursive: true });
    }
    const startMs = performance.now();
    const made = kind === "floor-fts" ? await this.#withFullText(count) : await this.#seeded(kind, count);
    renameSync(made, folder);
    const seconds = (performance.now() - startMs) / 1000;
    note(`${kind}: store of ${count} records made in ${seconds.toFixed(1)} s`);
    return store;
  }

  async #seeded(kind: ServerKind, count: number): Promise<string> {
    const dataDir = this.emptyDataDir();
    const server = await Server.start(kind, dataDir);
    const startMs = performance.now();
    const ids = await seed(server, count, (done) => {
      const perSecond = Math.round((done * 1000) / (performance.now() - startMs));
      progress(`${kind}: ${done} of ${count} records, ${perSecond} a second`);
    });
    await server.untilIdle();
    await server.end();
    foldLogs(dataDir);
    writeFileSync(join(dataDir, "../ids.txt"), ids.join("\n"));
    return join(dataDir, "..");
  }

  /** The floor's store with a full-text table, which the floor itself fills at its start. */
  async #withFullText(count: number): Promise<string> {
    const plain = await this.workingCopy("floor", count);
    progress(`floor-fts: fills its table from ${count} records`);
    await (await Server.start("floor-fts", plain.dataDir)).end();
    foldLogs(plain.dataDir);
    await cp(plain.idsPath, join(plain.dataDir, "../ids.txt"));
    return join(plain.dataDir, "..");
  }

  async #version(kind: ServerKind): Promise<string> {
    const known = this.#versions.get(kind);
    if (known !== undefined) return known;
    const dataDir = this.emptyDataDir();
    await (await Server.start(kind, dataDir)).end();
    const hash = createHash("sha256").update(fingerprintOfRecords());
    for (const path of databaseFiles(dataDir)) {
      withDatabase(path, (database) => {
        const definitions = database.prepare("SELECT sql FROM sqlite_master ORDER BY type, name").all();
        hash.update(JSON.stringify(definitions));
      });
    }
    const version = hash.digest("hex").slice(0, 12);
    this.#versions.set(kind, version);
    return version;
  }
}

/** Removes what runs left behind that were killed. */
function removeDeadRuns(): void {
  for (const name of readdirSync(CACHE_DIR)) {
    const pid = /^run-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(CACHE_DIR, name), { recursive: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function fingerprintOfRecords(): string {
  return JSON.stringify(
    Array.from({ length: FINGERPRINT_RECORDS }, (_, i) => seedRecord(i, FINGERPRINT_RECORDS)),
  );
}

/** Takes what SQLite's write-ahead logs hold into the databases, so that these are whole by themselves. */
function foldLogs(dataDir: string): void {
  for (const path of databaseFiles(dataDir)) {
    withDatabase(path, (database) => database.pragma("wal_checkpoint(TRUNCATE)"));
  }
}

function withDatabase(path: string, work: (database: Database.Database) => void): void {
  const database = new Database(path);
  try {
    work(database);
  } finally {
    database.close();
  }
}

function databaseFiles(dataDir: string): string[] {
  return readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(dataDir, entry.name))
    .filter((path) => firstBytes(path, SQLITE_MAGIC.length) === SQLITE_MAGIC)
    .sort();
}

function firstBytes(path: string, count: number): string {
  const bytes = Buffer.alloc(count);
  const file = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Copies a folder, and writes the copies out, so that the system does not do so while we measure. */
async function copyDurably(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const entry of readdirSync(to, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name), "r+");
    await file.sync().finally(() => file.close());
  }
}

import { makeRecord } from "../../bench/records.ts";
import type { RecordResource } from "../../services/records/record.schema.ts";
import { type HttpAnswer, type RequestOptions, request, type Target } from "./http.ts";

const MOST_ITEMS = 1_000;
/** A thousand records with a field of so much text make a body of just under 4 MiB. */
const LARGE_FIELD_BYTES = 4_080;
/** Seven such fields make a record of just under 64 KiB. */
const LARGEST_FIELD_BYTES = 9_000;
const LARGEST_FIELDS = 7;
const LARGE_TYPE = "large";
const SEED_BATCHES = 20;
const PAGE_SIZE = 100;

/** A request that is ready to be sent; `status` is what it must be answered. */
export interface HeavyRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly status: number;
}

/** One of the requests that cost most. */
export interface HeavyKind {
  readonly title: string;
  /** Makes what the request needs, and the request; `turn` is another number each time. */
  prepare(target: Target, turn: number): Promise<HeavyRequest>;
}

export const heavyKinds: readonly HeavyKind[] = [
  {
    title: "bulk create of 1,000, 4 MiB of distinct words",
    prepare: async (_target, turn) => bulkCreate(largeRecords(turn)),
  },
  {
    title: "bulk create of 1,000, Russian and Chinese",
    prepare: async (_target, turn) => {
      const text = `${"Ключ ".repeat(300)}${"東京 学习 ".repeat(60)}`;
      const one = (at: number) => ({ name: `large ${turn} ${at}`, type: "translated", fields: { text } });
      return bulkCreate(Array.from({ length: MOST_ITEMS }, (_, at) => one(at)));
    },
  },
  {
    title: "bulk create of 1,000, refused for the last one",
    prepare: async (_target, turn) => {
      const records = [...largeRecords(turn).slice(1), { name: "without a type" }];
      return { ...bulkCreate(records), status: 400 };
    },
  },
  {
    title: "bulk delete of 1,000, 4 MiB of distinct words",
    prepare: async (target, turn) => {
      const ids = await largeIds(target);
      if (ids.length < MOST_ITEMS) await ask(target, bulkCreate(largeRecords(turn)));
      const body = { ids: ids.length < MOST_ITEMS ? await largeIds(target) : ids };
      return { ...write("DELETE", "/v1/data/bulk-delete", body), status: 200 };
    },
  },
  {
    title: "PATCH of a record of 63 KiB",
    prepare: async (target, turn) => {
      const texts = Array.from({ length: LARGEST_FIELDS }, (_, at) =>
        distinctWords(turn * LARGEST_FIELDS + at, LARGEST_FIELD_BYTES),
      );
      const fields = Object.fromEntries(texts.map((text, at) => [`text ${at}`, text]));
      const record = { name: "large", type: "note", fields };
      const made = await ask<RecordResource>(target, { ...write("POST", "/v1/data", record), status: 201 });
      const patch = { fields: { "text 0": distinctWords(-turn, LARGEST_FIELD_BYTES) } };
      return { ...write("PATCH", `/v1/data/${made.body.data.id}`, patch), status: 200 };
    },
  },
  { title: "page 999 by name", prepare: async () => read("/v1/data?page=999&per_page=20&sort=name") },
  { title: "search of one letter", prepare: async () => read("/v1/data?q=b&sort=name") },
  { title: "search of one letter, deep", prepare: async () => read("/v1/data?q=b&page=200&sort=updated_at") },
];

/** Fills a workspace with 20,000 records whose words are spread as in real text. */
export async function fill(target: Target): Promise<void> {
  for (let batch = 0; batch < SEED_BATCHES; batch += 1) {
    const records = Array.from({ length: MOST_ITEMS }, (_, at) => makeRecord(batch * MOST_ITEMS + at));
    await ask(target, bulkCreate(records));
  }
}

/** Sends a request. @throws Error where it is answered otherwise than it must be */
export async function ask<Data>(target: Target, heavy: HeavyRequest): Promise<HttpAnswer<Data>> {
  const { method, path, body, status } = heavy;
  const options: RequestOptions = { body, headers: { "Content-Type": "application/json" } };
  const answer = await request<Data>(target, method, path, options);
  if (answer.status === status) return answer;
  throw new Error(`${method} ${path} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** Ids of large records that are there already, as many as one request may have. */
async function largeIds(target: Target): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= MOST_ITEMS / PAGE_SIZE; page += 1) {
    const path = `/v1/data?type=${LARGE_TYPE}&per_page=${PAGE_SIZE}&page=${page}`;
    const { body } = await ask<RecordResource[]>(target, read(path));
    ids.push(...body.data.map(({ id }) => id));
  }
  return ids;
}

function largeRecords(turn: number): object[] {
  return Array.from({ length: MOST_ITEMS }, (_, at) => {
    const text = distinctWords(turn * MOST_ITEMS + at, LARGE_FIELD_BYTES);
    return { name: `large ${at}`, type: LARGE_TYPE, fields: { text } };
  });
}

/** Text of which no two words are alike, nor those of two numbers. */
function distinctWords(number: number, bytes: number): string {
  const words: string[] = [];
  for (let at = 0, size = 0; size < bytes; at += 1) {
    const word = `w${number.toString(36)}x${at.toString(36)}`.replace("-", "m");
    words.push(word);
    size += word.length + 1;
  }
  return words.slice(0, -1).join(" ");
}

function bulkCreate(records: readonly object[]): HeavyRequest {
  return { ...write("POST", "/v1/data/bulk-create", { records }), status: 201 };
}

function write(method: string, path: string, body: object): Omit<HeavyRequest, "status"> {
  return { method, path, body: JSON.stringify(body) };
}

function read(path: string): HeavyRequest {
  return { method: "GET", path, status: 200 };
}

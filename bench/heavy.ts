/**
 * The requests that could hold the process longest, as data. `prepare` makes what the request needs over
 * the same interface and is not measured.
 */
import type { RequestSpec } from "./connection.ts";
import { createRandom, longText, makeLargeRecord, makeRecord } from "./records.ts";

export interface HeavyRequest {
  name: string;
  title: string;
  /** Whether the floor has this request too; else the self-test leaves it out. */
  onFloor: boolean;
  status: number;
  /** The request of repetition `turn`. */
  prepare: (send: Sender, turn: number) => Promise<RequestSpec>;
}

/** Sends a request and returns its answer. Throws for one that is no success. */
export type Sender = (request: RequestSpec) => Promise<{ data: unknown }>;

const MOST_ITEMS = 1_000;
/** 1,000 records with this much text, their names and the JSON around them stay just below 4 MiB. */
const LARGE_FIELD_BYTES = 4_050;
const PATCHED_FIELD_BYTES = 8_500;
const PATCHED_FIELDS = 7;

export const heavyRequests: readonly HeavyRequest[] = [
  {
    name: "bulk-create",
    title: "bulk create of 1,000 records, body of 4 MiB",
    onFloor: true,
    status: 201,
    prepare: async (_send, turn) => {
      const records = Array.from({ length: MOST_ITEMS }, (_, i) =>
        makeLargeRecord(turn * MOST_ITEMS + i, 1, LARGE_FIELD_BYTES),
      );
      return { method: "POST", path: "/v1/data/bulk-create", body: JSON.stringify({ records }) };
    },
  },
  {
    name: "deep-page",
    title: "page=5000&per_page=20",
    onFloor: true,
    status: 200,
    prepare: async () => ({ method: "GET", path: "/v1/data?page=5000&per_page=20" }),
  },
  {
    name: "one-letter",
    title: "search of one letter",
    onFloor: true,
    status: 200,
    prepare: async (_send, turn) => ({ method: "GET", path: `/v1/data?q=${"abcdefghij"[turn % 10]}` }),
  },
  {
    name: "patch",
    title: "PATCH of one field of a 60 KiB record",
    onFloor: false,
    status: 200,
    prepare: async (send, turn) => {
      const body = JSON.stringify(makeLargeRecord(turn, PATCHED_FIELDS, PATCHED_FIELD_BYTES));
      const [id] = idsIn([(await send({ method: "POST", path: "/v1/data", body })).data]);
      const fields = { text_0: longText(createRandom(1_000 + turn), PATCHED_FIELD_BYTES) };
      return { method: "PATCH", path: `/v1/data/${id}`, body: JSON.stringify({ fields }) };
    },
  },
  {
    name: "bulk-delete",
    title: "bulk delete of 1,000 records",
    onFloor: false,
    status: 200,
    prepare: async (send, turn) => {
      const records = Array.from({ length: MOST_ITEMS }, (_, i) =>
        makeRecord(30_000_000 + turn * MOST_ITEMS + i),
      );
      const body = JSON.stringify({ records });
      const ids = idsIn((await send({ method: "POST", path: "/v1/data/bulk-create", body })).data);
      return { method: "DELETE", path: "/v1/data/bulk-delete", body: JSON.stringify({ ids }) };
    },
  },
];

/** The ids of a list of items as the interface returns it. Throws where it is none. */
export function idsIn(items: unknown): string[] {
  if (!Array.isArray(items)) throw new Error("the answer holds no list");
  return items.map((item: { id?: unknown } | null) => {
    if (typeof item?.id !== "string") throw new Error("an item of the answer has no id");
    return item.id;
  });
}

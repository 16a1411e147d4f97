/**
 * What is measured, as data: the requests of each row of the table, how many connections send them, what
 * a right answer looks like, and the line that the row has to hold.
 */
import type { RequestSpec } from "./connection.ts";
import {
  createRandom,
  MARKER_COUNT,
  MATCHES_PER_MARKER,
  makeRecord,
  markerWord,
  TYPE_NAMES,
} from "./records.ts";

export interface Scenario {
  name: string;
  title: string;
  connections: number;
  /** Whether the floor needs its FTS5 table for this row. */
  search: boolean;
  /** A slice ends after so many requests, so that writes do not make a small store large. */
  mostRequests: number;
  /** Least throughput as a share of the floor's, and most time at the largest size over the smallest. */
  line: { ratio: number; growth: number };
  /** The requests that are sent in turn; `ids` is a sample of the store's records. */
  requests: (ids: readonly string[]) => RequestSpec[];
  expected: ExpectedAnswer;
}

export interface ExpectedAnswer {
  status: number;
  /** Length of `data` where it is a list. */
  items?: number;
  /** Members of `meta`; a number is the value that it must have, "any" that it must be there. */
  meta?: Record<string, number | "any">;
}

const ENDLESS = Number.POSITIVE_INFINITY;
const BULK_SIZE = 100;
const LIST_META = { page: 1, per_page: 20, next_cursor: "any" } as const;

export const scenarios: readonly Scenario[] = [
  {
    name: "get",
    title: "GET by id",
    connections: 32,
    search: false,
    mostRequests: ENDLESS,
    line: { ratio: 0.5, growth: 1.1 },
    requests: (ids) => shuffled(ids).map((id) => ({ method: "GET", path: `/v1/data/${id}` })),
    expected: { status: 200 },
  },
  {
    name: "list",
    title: "list of 20 by type and status, newest first, with total",
    connections: 16,
    search: false,
    mostRequests: ENDLESS,
    line: { ratio: 1, growth: 1.1 },
    requests: () =>
      TYPE_NAMES.map((type) => ({
        method: "GET",
        path: `/v1/data?type=${type}&status=active&sort=created_at&order=desc&per_page=20`,
      })),
    expected: { status: 200, items: 20, meta: { ...LIST_META, total: "any" } },
  },
  {
    name: "search",
    title: `search of a word that ${MATCHES_PER_MARKER} records have`,
    connections: 16,
    search: true,
    mostRequests: ENDLESS,
    line: { ratio: 1, growth: 1.3 },
    requests: () =>
      Array.from({ length: MARKER_COUNT }, (_, i) => ({
        method: "GET",
        path: `/v1/data?q=${markerWord(i)}`,
      })),
    expected: {
      status: 200,
      items: MATCHES_PER_MARKER,
      meta: { ...LIST_META, total: MATCHES_PER_MARKER },
    },
  },
  {
    name: "create",
    title: "create, durable",
    connections: 50,
    search: false,
    mostRequests: 2_500,
    line: { ratio: 1.5, growth: 1.1 },
    requests: () =>
      Array.from({ length: 3_000 }, (_, i) => ({
        method: "POST",
        path: "/v1/data",
        body: JSON.stringify(makeRecord(10_000_000 + i)),
      })),
    expected: { status: 201 },
  },
  {
    name: "bulk",
    title: `bulk create of ${BULK_SIZE}`,
    connections: 4,
    search: false,
    mostRequests: 100,
    line: { ratio: 0.3, growth: 1.2 },
    requests: () =>
      Array.from({ length: 125 }, (_, i) => {
        const records = Array.from({ length: BULK_SIZE }, (_, j) =>
          makeRecord(20_000_000 + i * BULK_SIZE + j),
        );
        return { method: "POST", path: "/v1/data/bulk-create", body: JSON.stringify({ records }) };
      }),
    expected: { status: 201, items: BULK_SIZE, meta: { created: BULK_SIZE } },
  },
];

/** The scenario of this name. Throws for a name that there is not. */
export function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (scenario === undefined) {
    throw new Error(`no scenario "${name}"; there are ${scenarios.map((each) => each.name).join(", ")}`);
  }
  return scenario;
}

function shuffled(ids: readonly string[]): string[] {
  const random = createRandom(7);
  return ids
    .map((id) => ({ id, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id);
}

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/open-database.ts";
import type { Config } from "../../lib/config.ts";
import type { RecordResource } from "../../services/records/record.schema.ts";
import { contradictions, eventKey, recordEvents } from "./contradictions.ts";
import { request, type Target } from "./http.ts";
import { settleDoubts } from "./workload-doubts.ts";
import { Lane, type LaneOptions } from "./workload-lane.ts";

export interface WorkloadOptions extends Pick<LaneOptions, "random" | "keepsConnection" | "excuses"> {
  readonly lanes: number;
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/**
 * Clients that write side by side to a workspace that nobody else writes to, and that know from their answers
 * what it must hold.
 */
export class Workload {
  readonly lanes: readonly Lane[];
  readonly #sharedId: string;
  /** Events that nobody was told the time of: of the shared record's making and of merges in doubt. */
  #untold = 1;

  private constructor(lanes: readonly Lane[], sharedId: string) {
    this.lanes = lanes;
    this.#sharedId = sharedId;
  }

  /** Makes the record that all lanes share; the workspace must be empty. */
  static async begin(target: Target, { lanes, random, ...rest }: WorkloadOptions): Promise<Workload> {
    const body = { name: "shared", type: "counter" };
    const made = await request<RecordResource>(target, "POST", "/v1/data", { body });
    expect(made.status).toBe(201);
    const sharedId = made.body.data.id;
    const words = Array.from({ length: lanes }, (_, at) => `lane${ALPHABET[at]}`);
    return new Workload(
      words.map((word) => new Lane({ ...rest, word, sharedId, random: random.fork() })),
      sharedId,
    );
  }

  /** Writes that were answered with success so far. */
  get acknowledged(): number {
    return this.lanes.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Writes of which nobody knows whether they happened. */
  get doubts(): number {
    return this.lanes.reduce((sum, { doubts }) => sum + doubts.length, 0);
  }

  /** How long each answer took so far, in milliseconds. */
  get latenciesMs(): number[] {
    return this.lanes.flatMap(({ latenciesMs }) => latenciesMs);
  }

  /**
   * Sends writes, each lane one at a time, until the signal; a lane ends where it gets no answer, and pauses
   * where it is asked to.
   */
  async run(target: Target, until: AbortSignal): Promise<void> {
    const runLane = async (lane: Lane) => {
      while (!until.aborted) {
        const { status, retryAfterMs } = await lane.send(target, lane.nextWrite());
        if (status === undefined) return;
        if (retryAfterMs > 0) await sleep(retryAfterMs, undefined, { signal: until }).catch(() => {});
      }
    };
    await Promise.all(this.lanes.map(runLane));
    for (const lane of this.lanes) lane.close();
  }

  /**
   * Looks whether all that was answered is there, in lists, totals, searches, tables and events, and nothing
   * by half. What is in doubt may be there or not; afterwards nothing is in doubt.
   * @param storage the service's, which is opened beside it for as long as this takes
   * @returns how many of the writes in doubt have happened
   */
  async expectIntact(target: Target, storage: Config["storage"]): Promise<number> {
    expect(this.lanes.flatMap((lane) => lane.surprises)).toEqual([]);
    const shared = await this.#sharedRecord(target);
    const all = new Map([[shared.id, shared]]);
    let happened = 0;
    for (const lane of this.lanes) {
      const found = byId(await everyRecord(target, `q=${lane.word}`));
      const settled = settleDoubts(lane, found, shared);
      expect(settled.faults).toEqual([]);
      expect(found).toEqual(lane.records);
      expect(shared.fields[lane.word]).toBe(lane.merged);
      this.#untold += settled.merges;
      happened += settled.happened;
      for (const [id, record] of lane.records) all.set(id, record);
    }
    expect(byId(await everyRecord(target, "sort=name"))).toEqual(all);
    await expectTotals(target, [...all.values()]);
    const database = await openDatabase(storage);
    try {
      await this.#expectEvents(database);
      expect(await contradictions(database)).toEqual([]);
    } finally {
      await database.close();
    }
    return happened;
  }

  async #sharedRecord(target: Target): Promise<RecordResource> {
    const answer = await request<RecordResource>(target, "GET", `/v1/data/${this.#sharedId}`);
    expect(answer.status).toBe(200);
    return answer.body.data;
  }

  async #expectEvents({ read }: Database): Promise<void> {
    const told = (await recordEvents(read)).map(({ event, data }) => eventKey(event, data));
    const expected = new Set(this.lanes.flatMap((lane) => [...lane.events]));
    expect([...expected.difference(new Set(told))]).toEqual([]);
    const untold = told.filter((key) => !expected.has(key));
    expect(untold.filter((key) => !key.includes(this.#sharedId))).toEqual([]);
    expect(untold).toHaveLength(this.#untold);
  }
}

/** All records that a list shows, walked by cursor; its total must be their number. */
async function everyRecord(target: Target, query: string): Promise<RecordResource[]> {
  const records: RecordResource[] = [];
  let cursor = "";
  for (;;) {
    const path = `/v1/data?${query}&per_page=100${cursor}`;
    const { status, body } = await request<RecordResource[]>(target, "GET", path);
    expect(status).toBe(200);
    records.push(...body.data);
    if (body.meta.next_cursor === null) {
      expect(body.meta.total).toBe(records.length);
      return records;
    }
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
}

async function expectTotals(target: Target, records: readonly RecordResource[]): Promise<void> {
  const filters: Readonly<Record<string, string>>[] = [
    ...["active", "archived", "draft"].map((status) => ({ status })),
    ...["counter", "document", "task", "note"].map((type) => ({ type })),
    { type: "note", status: "draft" },
  ];
  for (const filter of filters) {
    const query = new URLSearchParams({ ...filter, per_page: "1" });
    const { body } = await request(target, "GET", `/v1/data?${query}`);
    const matching = records.filter(
      ({ type, status }) => type === (filter.type ?? type) && status === (filter.status ?? status),
    );
    expect({ filter, total: body.meta.total }).toEqual({ filter, total: matching.length });
  }
}

function byId(records: readonly RecordResource[]): Map<string, RecordResource> {
  return new Map(records.map((record) => [record.id, record]));
}

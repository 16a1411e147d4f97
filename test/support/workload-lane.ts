import { Agent } from "node:http";
import type { RecordResource } from "../../services/records/record.schema.ts";
import { eventKey } from "./contradictions.ts";
import { type HttpAnswer, request, type Target } from "./http.ts";
import type { Random } from "./random.ts";
import {
  createMany,
  createOne,
  merge,
  patchOne,
  refusedWrites,
  removeMany,
  removeOne,
  type Texts,
  type Write,
  type WriteOf,
} from "./workload-writes.ts";

/** A write without an answer, or with one that may hide its success: it happened wholly or not at all. */
export type Doubt = Exclude<Write, WriteOf<"refused">>;

export interface LaneOptions {
  /** The word by which all records of this lane, and no others, are found. */
  readonly word: string;
  /** A record that all lanes write to, each a key of its own. */
  readonly sharedId: string;
  readonly random: Random;
  /** Whether requests share one connection; else each has its own. */
  readonly keepsConnection?: boolean;
  /** Statuses with which a write may fail that should have succeeded. */
  readonly excuses?: readonly number[];
}

/** A lane with more records than that removes half of them: a load that goes on for long stays as it was. */
const MAX_RECORDS = 300;

/** What came of a request. */
export interface Outcome {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number;
}

/**
 * A client of the records that have its word. It knows from the answers what must be there. Records whose
 * state is in doubt are left alone until somebody has looked: see settleDoubts.
 */
export class Lane {
  readonly word: string;
  readonly sharedId: string;
  /** The records as they were last answered. */
  readonly records = new Map<string, RecordResource>();
  /** What must have its event; see eventKey. */
  readonly events = new Set<string>();
  readonly doubts: Doubt[] = [];
  /** Answers that no request should get. */
  readonly surprises: string[] = [];
  /** How long each answer took, in milliseconds. */
  readonly latenciesMs: number[] = [];
  /** The value that this lane's key of the shared record must have. */
  merged: string | undefined;
  /** What will come of the last request. */
  underWay: Promise<Outcome> | undefined;
  /** Writes that were answered with success. */
  acknowledged = 0;
  /** Writes that failed with an excuse. */
  excused = 0;
  readonly #random: Random;
  readonly #agent: Agent | undefined;
  readonly #excuses: readonly number[];
  #made = 0;

  constructor({ word, sharedId, random, keepsConnection = false, excuses = [] }: LaneOptions) {
    this.word = word;
    this.sharedId = sharedId;
    this.#random = random;
    this.#agent = keepsConnection ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    this.#excuses = excuses;
  }

  /** Texts for one more request. */
  newTexts(): Texts {
    this.#made += 1;
    return { laneWord: this.word, marker: `${this.word}n${this.#made}`, random: this.#random };
  }

  /** Any write that the lane's records allow; one in ten has to be refused. */
  nextWrite(): Write {
    const random = this.#random;
    const texts = this.newTexts();
    const known = [...this.records.values()];
    if (known.length > MAX_RECORDS) return removeMany(random.shuffle(known).slice(0, MAX_RECORDS / 2));
    const turn = random.integer(1, 100);
    if (turn <= 10) return random.pick(refusedWrites(texts, this.sharedId));
    if (turn <= 20 && this.#mayMerge()) return merge(this.sharedId, this.word, String(this.#made));
    if (turn <= 22) return createMany(texts, random.integer(100, 200));
    if (turn <= 32) return createMany(texts, random.integer(2, 12));
    if (turn <= 55 && known.length > 0) return patchOne(texts, random.pick(known));
    if (turn <= 65 && known.length > 0) return removeOne(random.pick(known));
    if (turn <= 70 && known.length > 50) return removeMany(random.shuffle(known).slice(0, 20));
    return createOne(texts);
  }

  /** Sends a write, and believes its answer. */
  send(target: Target, write: Write): Promise<Outcome> {
    this.underWay = this.#send(target, write);
    return this.underWay;
  }

  async #send(target: Target, write: Write): Promise<Outcome> {
    if ("takes" in write) for (const { id } of write.takes) this.records.delete(id);
    const { method, path, body } = write;
    const startMs = performance.now();
    try {
      const answer = await request<RecordResource[]>(target, method, path, { body, agent: this.#agent });
      this.latenciesMs.push(performance.now() - startMs);
      this.#judge(write, answer);
      return { status: answer.status, retryAfterMs: Number(answer.headers["retry-after"] ?? 0) * 1000 };
    } catch {
      if (write.kind !== "refused") this.doubts.push(write);
      return { status: undefined, retryAfterMs: 0 };
    }
  }

  /** Closes its connection, if it keeps one. */
  close(): void {
    this.#agent?.destroy();
  }

  /** Believes that a write has happened, and that these are the records that it left. */
  accept(write: Doubt, left: readonly RecordResource[]): void {
    if (write.kind === "merge") this.merged = write.value;
    else for (const record of left) this.records.set(record.id, record);
    const told = write.kind === "delete" ? write.takes : left;
    for (const record of told) this.events.add(eventKey(eventOf[write.kind], record));
  }

  /** Of two merges of one key, one that was answered 503 may be the last to happen. */
  #mayMerge(): boolean {
    return !this.doubts.some(({ kind }) => kind === "merge");
  }

  #judge(write: Write, answer: HttpAnswer<RecordResource[]>): void {
    const { status, text, body } = answer;
    if (this.#excuses.includes(status) && isHonestFailure(answer)) {
      this.excused += 1;
      if (write.kind !== "refused") this.doubts.push(write);
    } else if (status !== write.status) {
      this.surprises.push(`${write.method} ${write.path}: ${status} ${text}`);
    } else if (write.kind !== "refused") {
      this.acknowledged += 1;
      this.accept(write, write.kind === "delete" ? [] : [body.data].flat());
    }
  }
}

const eventOf: Readonly<Record<Doubt["kind"], string>> = {
  create: "record.created",
  patch: "record.updated",
  merge: "record.updated",
  delete: "record.deleted",
};

/** In the shape of all errors, and with a word on when to come again where that makes sense. */
function isHonestFailure({ status, headers, body }: HttpAnswer): boolean {
  if (body.success !== false || typeof body.error.request_id !== "string") return false;
  if (status !== 503) return body.error.code === "internal";
  return body.error.code === "unavailable" && /^[1-9]\d*$/.test(headers["retry-after"] ?? "");
}

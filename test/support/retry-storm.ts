import { setTimeout as sleep } from "node:timers/promises";
import { type Cut, sendPerhapsCut } from "./cut-request.ts";
import type { Target } from "./http.ts";
import type { Random } from "./random.ts";
import { rawRequest } from "./raw-http.ts";

export interface StormOptions {
  readonly random: Random;
  /** How many creates, each with a key of its own. */
  readonly creates: number;
  /** How many clients send each of them, at the same time. */
  readonly clientsEach: number;
  /** Statuses beside 409 after which a client comes again. */
  readonly excuses?: readonly number[];
}

/** Clients at work at a time. */
const CONCURRENCY = 40;
/** A client that was asked to come again does not wait the whole second here. */
const PAUSE_MS = 20;
/** Of ten tries so many are cut; at last one gets through. */
const CUT_OF_TEN = 6;
const LONGEST_WAIT_MS = 12;
const GIVES_UP_AFTER_MS = 60_000;

/** Many clients that send the same creates, lose their connections, and send again until each has read a 201. */
export class RetryStorm {
  /** The answers of 201 that were read, by key. */
  readonly answers = new Map<string, string[]>();
  /** Answers that nobody should have got. */
  readonly surprises: string[] = [];
  /** Connections that were cut by their clients, or that the other side left. */
  lost = 0;
  readonly options: StormOptions;

  constructor(options: StormOptions) {
    this.options = options;
  }

  /** Clients that have their answer. */
  get answered(): number {
    return [...this.answers.values()].reduce((sum, answers) => sum + answers.length, 0);
  }

  /**
   * Resolves once every client has its answer.
   * @param target where the service is now: it may move while the storm goes on
   */
  async run(target: () => Target): Promise<void> {
    const { random, creates, clientsEach } = this.options;
    const keys = Array.from({ length: creates }, (_, at) => `storm-${at}`);
    const clients = random.shuffle(keys.flatMap((key) => Array<string>(clientsEach).fill(key)));
    const givesUpAtMs = performance.now() + GIVES_UP_AFTER_MS;
    const work = async () => {
      for (let key = clients.pop(); key !== undefined; key = clients.pop()) {
        while (!(await this.#tryOnce(target(), key))) {
          if (performance.now() > givesUpAtMs) throw new Error(`No client of ${key} gets an answer.`);
          await sleep(random.integer(0, PAUSE_MS));
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  }

  /** Whether the client has its answer. */
  async #tryOnce({ port, key: apiKey }: Target, key: string): Promise<boolean> {
    const bytes = requestBytes(apiKey, key);
    const answer = await sendPerhapsCut(port, bytes, this.#nextCut(bytes.length));
    if (answer === undefined) {
      this.lost += 1;
      return false;
    }
    if (answer.status === 201) {
      const known = this.answers.get(key);
      if (known) known.push(answer.body);
      else this.answers.set(key, [answer.body]);
      return true;
    }
    const { excuses = [] } = this.options;
    if (![409, ...excuses].includes(answer.status)) this.surprises.push(`${answer.status} ${answer.body}`);
    return false;
  }

  #nextCut(length: number): Cut | undefined {
    const { random } = this.options;
    if (random.integer(1, 10) > CUT_OF_TEN) return undefined;
    return random.pick<Cut>([
      { when: "sending", afterBytes: random.integer(0, length) },
      { when: "waiting", afterMs: random.integer(0, LONGEST_WAIT_MS) },
      { when: "reading", afterBytes: 1 },
    ]);
  }
}

function requestBytes(apiKey: string, key: string): Buffer {
  const body = JSON.stringify({ name: `Made by ${key}`, type: "note", fields: { key } });
  const headers = [
    `Authorization: Bearer ${apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Idempotency-Key: ${key}`,
    "Connection: close",
  ];
  return Buffer.from(rawRequest("POST /v1/data", headers, body));
}

import { expect } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseOf } from "../../../../mixins/database.middleware.ts";
import { insertWebhook } from "../../../../services/webhooks/webhook.repository.ts";
import { addToCount } from "../../../../services/webhooks/webhook-count.repository.ts";
import { type App, startApp } from "../../../support/app.ts";
import type { FreshStorage } from "../../../support/databases.ts";
import type { Environment } from "../../../support/environment.ts";
import { expectRefusal } from "../../../support/expect-refusal.ts";
import { type HttpAnswer, type RequestOptions, request } from "../../../support/http.ts";
import { type ReceiverAnswer, status } from "../../../support/tls-receiver.ts";
import { insertSide, newSide, type Side } from "../../scenarios/sides.ts";
import { dumpTables, type TableDump } from "./dump-tables.ts";

/** Programs on one database between which requests race. */
export class Nodes {
  readonly #apps: readonly App[];

  private constructor(apps: readonly App[]) {
    this.#apps = apps;
  }

  /** Starts two on MariaDB, and one on SQLite, whose database is one program's. Stop them when done. */
  static async start(freshStorage: FreshStorage, env: Environment = {}): Promise<Nodes> {
    const { dataDir, databaseUrl } = await freshStorage();
    const start = (storage: Environment) =>
      startApp({ env: { BOOTSTRAP_API_KEY: "key-of-the-tests-of-races", ...env, ...storage } });
    if (databaseUrl === undefined) return new Nodes([await start({ DATA_DIR: dataDir })]);
    return new Nodes([
      await start({ DATABASE_URL: databaseUrl }),
      await start({ DATABASE_URL: databaseUrl }),
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.stop()));
  }

  /** The node whose turn it is. */
  at(turn: number): App {
    const app = this.#apps[turn % this.#apps.length];
    if (!app) throw new Error("There are no nodes.");
    return app;
  }

  get database(): Database {
    return databaseOf(this.at(0).broker);
  }

  /** What all of them have logged, from warnings up. */
  get log(): readonly string[] {
    return this.#apps.flatMap(({ log }) => log);
  }

  /** A workspace of the test's own, with an admin, an editor and a viewer. */
  async newSide(): Promise<Side> {
    const side = newSide();
    await this.database.transaction((transaction) => insertSide(transaction, side));
    return side;
  }

  /** Everything that the database has of a workspace. */
  dump(side: Side): Promise<TableDump> {
    return dumpTables(this.database.read, side);
  }

  /** The events of a workspace, the oldest first: each with the id of what it is about. */
  async told(side: Side): Promise<[event: string, id: string][]> {
    return (await this.dump(side)).events.map(({ event, payload }) => {
      const { data }: { data: { id: string } } = JSON.parse(payload);
      return [event, data.id];
    });
  }

  /** A list's `meta.total` as the nodes say it: a single one where they agree. */
  async totals({ keys: { viewer: key } }: Side, path: string): Promise<Set<unknown>> {
    const answers = await race(2, (turn) => this.send(turn, "GET", path, { key }));
    return new Set(answers.map(({ body }) => body.meta.total));
  }

  /** A registration that nobody was asked about. Gives its id. */
  async insertWebhook({ workspaceId }: Side): Promise<string> {
    const id = newId("webhook");
    await this.database.transaction(async (transaction) => {
      await insertWebhook(transaction, {
        id,
        workspace_id: workspaceId,
        url: "https://receiver.test/",
        events: '["*"]',
        status: "active",
        secret: null,
        created_at: Date.now(),
      });
      await addToCount(transaction, workspaceId, 1);
    });
    return id;
  }

  /** Sends a request to the node whose turn it is. */
  send<Data>(turn: number, method: string, path: string, options: RequestOptions): Promise<HttpAnswer<Data>> {
    return request<Data>(this.at(turn), method, path, options);
  }
}

/** Sends so many requests at once, each with its turn. */
export function race<Answer>(count: number, send: (turn: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, turn) => send(turn)));
}

/** The answer of the one that succeeded; all others must have been refused with this status and code. */
export function onlyWinner<Data>(
  answers: readonly HttpAnswer<Data>[],
  won: number,
  [lost, code]: readonly [number, string],
): HttpAnswer<Data> {
  const winners = answers.filter((answer) => answer.status === won);
  const losers = answers.filter((answer) => !winners.includes(answer));
  for (const loser of losers) expectRefusal(loser, lost, code);
  const [winner] = winners;
  if (!winner) throw new Error(`None of ${answers.length} was answered with ${won}.`);
  expect({ winners: winners.length, losers: losers.length }).toEqual({
    winners: 1,
    losers: answers.length - 1,
  });
  return winner;
}

/** A receiver that says yes to nobody before so many registrations wait for it, so that none of them is early. */
export class Gathering {
  readonly #size: number;
  readonly #deliveries = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  readonly answer: ReceiverAnswer = (response, asked) => {
    // A request on a connection that was given up meanwhile comes twice, as the same delivery.
    this.#deliveries.add(String(asked.headers["x-service-delivery"]));
    this.#waiting.push(() => status(200)(response, asked));
    if (this.#deliveries.size < this.#size) return;
    for (const go of this.#waiting.splice(0)) go();
  };
}

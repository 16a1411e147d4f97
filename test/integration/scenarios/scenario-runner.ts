import { expect } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Sql } from "../../../db/database.ts";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import { type HttpAnswer, request, type Target } from "../../support/http.ts";
import { checkRefusal } from "./check-refusal.ts";
import { type AnyScenario, type AnySuccess, type Area, isRefusal, type RequestParts } from "./scenario.ts";
import { keyOf, type Side, type Sides } from "./sides.ts";

export type Program = Target & { readonly broker: ServiceBroker };

/** What came of a request that succeeded. */
export interface Outcome<Name, World, Success, Dump> {
  readonly broker: ServiceBroker;
  readonly at: Name;
  readonly world: World;
  readonly expected: Success;
  readonly parts: RequestParts;
  readonly answer: HttpAnswer;
  /** The home workspace's tables. */
  readonly before: Dump;
  readonly after: Dump;
}

/** Where rows are played: an area, the world that they find, and how to see what they left in it. */
export interface Stage<Name extends string, World extends Sides, Success extends AnySuccess, Given, Dump>
  extends Area<Name, World, Success> {
  /** Makes a world in a program's database, past its HTTP interface. */
  newWorld(broker: ServiceBroker, given: Given | undefined): Promise<World>;
  /** Who usually asks. */
  readonly usualActor: RequestParts["as"];
  /** Which item an endpoint is usually asked for. */
  idOf(world: World, at: Name): string;
  /** All rows of one workspace's tables. */
  dump(sql: Sql, side: Side): Promise<Dump>;
  checkSuccess(outcome: Outcome<Name, World, Success, Dump>): void;
  /** Checks that hold whatever the answer is. */
  checkAlways?(answer: HttpAnswer, after: Dump): void;
}

interface WorldDump<Dump> {
  readonly home: Dump;
  readonly foreign: Dump;
}

/** Runs rows against a program. Rows that leave their world as it was share one. */
export class ScenarioRunner<
  Name extends string,
  World extends Sides,
  Success extends AnySuccess,
  Given,
  Dump,
> {
  readonly #stage: Stage<Name, World, Success, Given, Dump>;
  readonly #program: Program;
  readonly #dumps = new WeakMap<World, WorldDump<Dump>>();
  #shared: Promise<World> | undefined;

  constructor(stage: Stage<Name, World, Success, Given, Dump>, program: Program) {
    this.#stage = stage;
    this.#program = program;
  }

  /** Sends a row's request, and checks the answer and everything that it left in the database. */
  async run(scenario: AnyScenario<Name, World, Success, Given>): Promise<void> {
    const { at, expected } = scenario;
    const { broker } = this.#program;
    const world = await this.#worldFor(scenario);
    const parts = await this.#partsOf(scenario, world);
    // Nobody else writes to a world, so what the last row left is what this one finds.
    const before = this.#dumps.get(world) ?? (await this.#dump(world));
    const answer = await this.#send(world, parts);
    const after = await this.#dump(world);
    this.#dumps.set(world, after);
    try {
      this.#stage.checkAlways?.(answer, after.home);
      expect(after.foreign).toStrictEqual(before.foreign);
      if (isRefusal(expected)) {
        checkRefusal(answer, expected);
        expect(after.home).toStrictEqual(before.home);
      } else {
        const homes = { before: before.home, after: after.home };
        this.#stage.checkSuccess({ broker, at, world, expected, parts, answer, ...homes });
      }
    } catch (error) {
      // Rows that come later should not fail for what this one did to their world.
      this.#shared = undefined;
      throw error;
    }
  }

  /** What an endpoint's usual request gets for a certain id, without the id of the request. */
  async askFor(world: World, at: Name, id: string): Promise<{ status: number; body: unknown }> {
    const { status, body } = await this.#send(world, { ...this.#usualParts(at, world), id });
    return { status, body: { ...body, error: { ...body.error, request_id: "" } } };
  }

  /** The world that all rows see which leave it as it was. */
  async sharedWorld(): Promise<World> {
    this.#shared ??= this.#stage.newWorld(this.#program.broker, undefined);
    return await this.#shared;
  }

  /** Sends a request by one of a world's actors. */
  async #send({ home }: World, parts: RequestParts): Promise<HttpAnswer> {
    const { as, method, path, id, query, body, headers } = parts;
    const target = path.replace(":id", encodeURIComponent(id)) + (query === "" ? "" : `?${query}`);
    const json = typeof body === "string" || body instanceof Uint8Array;
    return await request(this.#program, method, target, {
      key: keyOf(home, as),
      body,
      headers: { ...(json ? { "Content-Type": "application/json" } : {}), ...headers },
    });
  }

  async #worldFor({ at, given, expected }: AnyScenario<Name, World, Success, Given>): Promise<World> {
    const isPure = isRefusal(expected) || this.#stage.endpoints[at].permission === "read";
    if (given === undefined && isPure) return await this.sharedWorld();
    return await this.#stage.newWorld(this.#program.broker, given);
  }

  /** The request that the endpoint usually gets, and that succeeds. */
  #usualParts(at: Name, world: World): RequestParts {
    const [method = "", path = ""] = at.split(" ");
    const body = this.#stage.endpoints[at].body?.(world);
    const id = this.#stage.idOf(world, at);
    return { as: this.#stage.usualActor, method, path, id, query: "", body, headers: {} };
  }

  async #partsOf(
    { at, change = {}, cursorOf }: AnyScenario<Name, World, Success, Given>,
    world: World,
  ): Promise<RequestParts> {
    const usual = this.#usualParts(at, world);
    const parts = { ...usual, ...(typeof change === "function" ? change(world) : change) };
    if (!cursorOf) return parts;
    const { side = "home", path = usual.path, query } = cursorOf;
    const cursor = await this.#cursor(world[side].keys.viewer, `${path}?${query}`);
    return { ...parts, query: `${parts.query}&cursor=${cursor}` };
  }

  async #cursor(key: string, list: string): Promise<string> {
    const { body } = await request(this.#program, "GET", list, { key });
    expect(body.meta.next_cursor).toEqual(expect.any(String));
    return String(body.meta.next_cursor);
  }

  async #dump({ home, foreign }: World): Promise<WorldDump<Dump>> {
    const { read } = databaseOf(this.#program.broker);
    const { dump } = this.#stage;
    const [ours, theirs] = await Promise.all([dump(read, home), dump(read, foreign)]);
    return { home: ours, foreign: theirs };
  }
}

import { expect } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { newApiKey } from "../../../../lib/api-key.ts";
import { databaseOf } from "../../../../mixins/database.middleware.ts";
import { type HttpAnswer, request, type Target } from "../../../support/http.ts";
import { dumpTables, type TableDump } from "../../../unit/services/records/support/table-dump.ts";
import { checkRefusal } from "./check-refusal.ts";
import { checkSuccess } from "./check-success.ts";
import { type EndpointName, endpointOf } from "./endpoints.ts";
import { type Actor, isRefusal, type RequestParts, type Scenario } from "./scenario.ts";
import { newWorld, type World } from "./world.ts";

type Program = Target & { readonly broker: ServiceBroker };

interface WorldDump {
  readonly home: TableDump;
  readonly foreign: TableDump;
}

/** Runs rows against a program. Rows that leave their world as it was share one. */
export class ScenarioRunner {
  readonly #program: Program;
  readonly #dumps = new WeakMap<World, WorldDump>();
  #shared: Promise<World> | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Sends a row's request, and checks the answer and everything that it left in the database. */
  async run(scenario: Scenario): Promise<void> {
    const { at, expected } = scenario;
    const world = await this.#worldFor(scenario);
    const parts = await this.#partsOf(scenario, world);
    // Nobody else writes to a world, so what the last row left is what this one finds.
    const before = this.#dumps.get(world) ?? (await this.#dump(world));
    const answer = await this.#send(world, parts);
    const after = await this.#dump(world);
    this.#dumps.set(world, after);
    try {
      expect(after.foreign).toStrictEqual(before.foreign);
      if (isRefusal(expected)) {
        checkRefusal(answer, expected);
        expect(after.home).toStrictEqual(before.home);
      } else {
        checkSuccess({ at, world, expected, parts, answer, before: before.home, after: after.home });
      }
    } catch (error) {
      // Rows that come later should not fail for what this one did to their world.
      this.#shared = undefined;
      throw error;
    }
  }

  /** What an endpoint's usual request gets for a certain id, without the id of the request. */
  async askFor(world: World, at: EndpointName, id: string): Promise<{ status: number; body: unknown }> {
    const { status, body } = await this.#send(world, { ...usualParts(at, world), id });
    return { status, body: { ...body, error: { ...body.error, request_id: "" } } };
  }

  /** Sends a request by one of a world's actors. */
  async #send(world: World, parts: RequestParts): Promise<HttpAnswer> {
    const { as, method, path, id, query, body, headers } = parts;
    const target = path.replace(":id", encodeURIComponent(id)) + (query === "" ? "" : `?${query}`);
    const json = typeof body === "string" || body instanceof Uint8Array;
    return await request(this.#program, method, target, {
      key: keyOf(world, as),
      body,
      headers: { ...(json ? { "Content-Type": "application/json" } : {}), ...headers },
    });
  }

  /** The world that all rows see which leave it as it was. */
  async sharedWorld(): Promise<World> {
    this.#shared ??= newWorld(this.#program.broker);
    return await this.#shared;
  }

  async #worldFor({ at, given, expected }: Scenario): Promise<World> {
    const isPure = isRefusal(expected) || !endpointOf(at).isWrite;
    return given || !isPure ? await newWorld(this.#program.broker, given) : await this.sharedWorld();
  }

  async #partsOf({ at, change = {}, cursorOf }: Scenario, world: World): Promise<RequestParts> {
    const parts = { ...usualParts(at, world), ...(typeof change === "function" ? change(world) : change) };
    if (!cursorOf) return parts;
    const cursor = await this.#cursor(world[cursorOf.side ?? "home"].keys.viewer, cursorOf.query);
    return { ...parts, query: `${parts.query}&cursor=${cursor}` };
  }

  async #cursor(key: string, query: string): Promise<string> {
    const { body } = await request(this.#program, "GET", `/v1/data?${query}`, { key });
    expect(body.meta.next_cursor).toEqual(expect.any(String));
    return String(body.meta.next_cursor);
  }

  async #dump({ home, foreign }: World): Promise<WorldDump> {
    const { read } = databaseOf(this.#program.broker);
    const [ours, theirs] = await Promise.all([dumpTables(read, home), dumpTables(read, foreign)]);
    return { home: ours, foreign: theirs };
  }
}

/** The request that the endpoint usually gets, and that succeeds. */
function usualParts(at: EndpointName, world: World): RequestParts {
  const [method = "", path = ""] = at.split(" ");
  const body = endpointOf(at).body?.(world);
  return { as: "editor", method, path, id: world.first, query: "", body, headers: {} };
}

/** A well-formed key that nobody has. */
const strangersKey = newApiKey();

function keyOf({ home }: World, actor: Actor): string | null {
  if (actor === "nobody") return null;
  return actor === "stranger" ? strangersKey : home.keys[actor];
}

import type { NewRecord } from "../../../../services/records/record.schema.ts";
import type { AnyScenario } from "../../scenarios/scenario.ts";
import type { EndpointName } from "./endpoints.ts";
import type { World } from "./world.ts";

/** How a record should stand in the database; `fields` also as JSON text, where the order of keys matters. */
export interface Stored {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly fields: Readonly<Record<string, string>> | string;
  readonly tags: readonly string[];
}

export interface Success {
  readonly status: number;
  /** The records that come into being, in order. */
  readonly creates?: readonly Stored[];
  /** What changes of the record that the path names; without it nothing does. */
  readonly updates?: Partial<Stored>;
  /** The ids of the records that go. */
  readonly removes?: (world: World) => readonly string[];
  /** The names of the records in the answer, in order. */
  readonly shows?: readonly string[];
  /** What the answer's `meta` must have; all else in it is as with no parameters. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A row of the table of records; `given` are records that the home workspace has beside the usual ones. */
export type Scenario = AnyScenario<EndpointName, World, Success, readonly NewRecord[]>;

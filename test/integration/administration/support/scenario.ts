import type { AnyScenario } from "../../scenarios/scenario.ts";
import type { EndpointName } from "./endpoints.ts";
import type { Given, World } from "./world.ts";

/** How a user, integration or registration should stand in the database, but for its id and times. */
export type Stored = Readonly<Record<string, unknown>>;

export interface Success {
  readonly status: number;
  /** What comes into being. */
  readonly creates?: Stored | ((world: World) => Stored);
  /** What changes of the item that the path names; without it nothing does. */
  readonly updates?: Stored;
  /** Whether the item that the path names goes. */
  readonly removes?: boolean;
  /**
   * The items in the answer, in order: users by name, integrations by type, registrations by the path of
   * their URL. A type that the workspace is not connected to stands for one that it can be.
   */
  readonly shows?: readonly string[];
  /** What a list's `meta` must have; all else in it is as with no parameters. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A row of the table of users, integrations and webhooks. */
export type Scenario = AnyScenario<EndpointName, World, Success, Given>;

import type { OutgoingHttpHeaders } from "node:http";
import type { Permission, Role } from "../../../lib/caller.ts";
import type { ErrorCode } from "../../../lib/errors.ts";

/*
 * The contract as a table: rows that say what is asked of an endpoint and what must come of it. Here is what
 * every table shares; a suite adds its endpoints, its world, its rows, and what a success of its own leaves.
 */

/** Whose key a request shows: one of a user of the home workspace, none, or one that opens nothing. */
export type Actor = Role | "nobody" | "stranger";

/** A request, taken apart. */
export interface RequestParts {
  readonly as: Actor;
  readonly method: string;
  readonly path: string;
  /** What `:id` in the path stands for, before it is percent-encoded. */
  readonly id: string;
  /** What follows the question mark, as it goes over the wire. */
  readonly query: string;
  /** An object is sent as JSON; text and bytes as they are, and called JSON too. */
  readonly body: object | string | Uint8Array | undefined;
  readonly headers: OutgoingHttpHeaders;
}

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  /** The members or parameters at fault, all of them; none where the error has no details. */
  readonly paths?: readonly string[];
  /** What the message must name. */
  readonly says?: readonly string[];
  readonly headers?: Readonly<Record<string, string | RegExp>>;
}

/** What every success says; what it leaves in the tables is each suite's own. */
export interface AnySuccess {
  readonly status: number;
}

/** What the interface says of an endpoint. */
export interface Endpoint<World> {
  /** The body of a request that succeeds; undefined where the endpoint takes none. */
  readonly body?: (world: World) => object;
  readonly maxBodyBytes?: number;
  readonly permission: Exclude<Permission, "operate">;
  /** Methods that the path does not know, and those that it does. */
  readonly otherMethods: readonly string[];
  readonly allow: string;
  /** Every status that it can answer. */
  readonly statuses: readonly number[];
}

/** Some endpoints, and what the usual request of each comes to. */
export interface Area<Name extends string, World, Success extends AnySuccess> {
  readonly names: readonly Name[];
  readonly endpoints: Readonly<Record<Name, Endpoint<World>>>;
  readonly usual: Readonly<Record<Name, Success>>;
}

/** A list whose `next_cursor` is added to the query: of the row's own path unless told, in the home workspace. */
export interface CursorSource {
  readonly path?: string;
  readonly query: string;
  readonly side?: "home" | "foreign";
}

/** In what a request differs from the endpoint's usual one, which succeeds. */
export type Change<World> = Partial<RequestParts> | ((world: World) => Partial<RequestParts>);

/** A row that is refused whatever the area is. */
export interface RefusedRow<Name extends string, World> {
  readonly at: Name;
  readonly why: string;
  readonly change?: Change<World>;
  readonly expected: Refusal;
}

/** One row of the table: an endpoint, what is asked of it, and what must come of it. */
export interface AnyScenario<Name extends string, World, Success extends AnySuccess, Given> {
  readonly at: Name;
  readonly why: string;
  /** What the home workspace has beside the usual. */
  readonly given?: Given;
  readonly change?: Change<World>;
  readonly cursorOf?: CursorSource;
  readonly expected: Refusal | Success;
}

export function isRefusal(expected: Refusal | AnySuccess): expected is Refusal {
  return "code" in expected;
}

/** What a row is called in the run's report. */
export function titleOf({
  at,
  why,
  expected,
}: Pick<RefusedRow<string, never>, "at" | "why"> & {
  readonly expected: AnySuccess;
}): string {
  return `${at}: ${why}: ${expected.status}`;
}

/** Which roles carry a permission, from the least that may to the most. */
const rolesThatMay = {
  read: ["viewer", "editor", "admin"],
  writeRecords: ["editor", "admin"],
  administer: ["admin"],
} as const satisfies Readonly<Record<Endpoint<never>["permission"], readonly Role[]>>;

const allRoles: readonly Role[] = ["viewer", "editor", "admin"];

/** The roles that may call an endpoint, and those that may not. */
export function rolesAt({ permission }: Pick<Endpoint<never>, "permission">): {
  readonly may: readonly Role[];
  readonly mayNot: readonly Role[];
} {
  const may: readonly Role[] = rolesThatMay[permission];
  return { may, mayNot: allRoles.filter((role) => !may.includes(role)) };
}

/** Those of an area's endpoints that take a body. */
export function bodyEndpointsOf<Name extends string, World>({
  names,
  endpoints,
}: Pick<Area<Name, World, AnySuccess>, "names" | "endpoints">): Name[] {
  return names.filter((name) => endpoints[name].body !== undefined);
}

/** Those that name one item by its id. */
export function itemEndpointsOf<Name extends string>({ names }: { readonly names: readonly Name[] }): Name[] {
  return names.filter((name) => name.endsWith("/:id"));
}

import type { OutgoingHttpHeaders } from "node:http";
import type { ErrorCode } from "../../../../lib/errors.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import type { EndpointName } from "./endpoints.ts";
import type { World } from "./world.ts";

/** Whose key a request shows: one of a user of the home workspace, none, or one that opens nothing. */
export type Actor = "viewer" | "editor" | "admin" | "nobody" | "stranger";

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

/** How a record should stand in the database; `fields` also as JSON text, where the order of keys matters. */
export interface Stored {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly fields: Readonly<Record<string, string>> | string;
  readonly tags: readonly string[];
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

/** One row of the table: an endpoint, what is asked of it, and what must come of it. */
export interface Scenario {
  readonly at: EndpointName;
  readonly why: string;
  /** Records that the home workspace has beside the usual ones. */
  readonly given?: readonly NewRecord[];
  /** In what the request differs from the endpoint's usual one, which succeeds. */
  readonly change?: Partial<RequestParts> | ((world: World) => Partial<RequestParts>);
  /** A list whose `next_cursor` is added to the query, and whose workspace it is. */
  readonly cursorOf?: { readonly query: string; readonly side?: "home" | "foreign" };
  readonly expected: Refusal | Success;
}

export function isRefusal(expected: Refusal | Success): expected is Refusal {
  return "code" in expected;
}

/** What a row is called in the run's report. */
export function titleOf({ at, why, expected }: Scenario): string {
  return `${at}: ${why}: ${expected.status}`;
}

import { type EndpointName, newRecord } from "../support/endpoints.ts";
import type { Stored, Success } from "../support/scenario.ts";
import { firstRecord } from "../support/world.ts";

/** A record as it is stored when nothing but these members was sent. */
export function created(members: Partial<Stored>): Stored {
  return { ...newRecord, status: "active", fields: {}, tags: [], ...members };
}

/** What each endpoint's usual request comes to. */
export const usual = {
  "GET /v1/data": { status: 200, shows: ["First", "Second", "Third"] },
  "GET /v1/data/:id": { status: 200 },
  "POST /v1/data": { status: 201, creates: [created({})] },
  "PATCH /v1/data/:id": { status: 200, updates: { name: "Changed" } },
  "DELETE /v1/data/:id": { status: 204, removes: ({ first }) => [first] },
  "POST /v1/data/bulk-create": { status: 201, creates: [created(firstRecord), created({})] },
  "DELETE /v1/data/bulk-delete": {
    status: 200,
    meta: { deleted: 2, failed: 0 },
    removes: ({ first, third }) => [first, third],
  },
} as const satisfies Readonly<Record<EndpointName, Success>>;

import { newEvents } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import { registration } from "./usual.ts";

const at = "POST /v1/webhooks";

/** What is answered where the workspace has as many registrations as it may: two. */
export const fullRows: readonly Scenario[] = [
  {
    at,
    why: "one more than a workspace may have",
    expected: { status: 429, code: "limit_reached", says: ["2 webhook registrations"] },
  },
  {
    at,
    why: "one more than a workspace may have, with a bad url",
    change: { body: { url: "http://receiver.test/", events: newEvents } },
    expected: { status: 400, code: "invalid_request", paths: ["url"] },
  },
  {
    at,
    why: "one more than a workspace may have, at a private address",
    change: { body: { url: "https://10.0.0.1/", events: newEvents } },
    expected: { status: 429, code: "limit_reached" },
  },
  {
    at,
    why: "one in the place of one that went",
    given: { gone: ["webhooks"] },
    expected: { status: 201, creates: registration() },
  },
];

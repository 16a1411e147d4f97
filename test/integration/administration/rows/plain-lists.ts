import type { EndpointName } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";

const INTEGRATIONS = "GET /v1/integrations";
const WEBHOOKS = "GET /v1/webhooks";

const available = ["discord", "dropbox", "gitlab", "google_drive", "zapier"];

const finds = (
  at: EndpointName,
  why: string,
  query: string,
  shows: readonly string[],
  total?: number,
): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 200, shows, ...(total === undefined ? {} : { meta: { total } }) },
});

const integrations: Scenario[] = [
  finds(INTEGRATIONS, "what is connected", "status=connected", ["slack"]),
  finds(INTEGRATIONS, "what waits for its authorization", "status=pending_auth", ["github"]),
  finds(INTEGRATIONS, "what can still be connected", "status=available", available),
  finds(INTEGRATIONS, "one type", "type=slack", ["slack"]),
  finds(INTEGRATIONS, "a type that is not connected", "type=zapier", []),
  finds(INTEGRATIONS, "a type that there is not", "type=nosuch", []),
  finds(INTEGRATIONS, "a type in capitals", "type=SLACK", []),
  finds(INTEGRATIONS, "an empty type", "type=", []),
  finds(INTEGRATIONS, "a type and its status", "type=github&status=pending_auth", ["github"]),
  finds(INTEGRATIONS, "a type and another status", "type=github&status=connected", []),
  finds(INTEGRATIONS, "a type that can be connected", "type=zapier&status=available", ["zapier"]),
  finds(INTEGRATIONS, "a type that can be connected no more", "type=slack&status=available", []),
  finds(INTEGRATIONS, "a type that there is not, available", "type=nosuch&status=available", []),
  {
    ...finds(INTEGRATIONS, "what can be connected again", "status=available&type=slack", ["slack"]),
    given: { gone: ["integrations"] },
  },
  finds(INTEGRATIONS, "the first page of what can be connected", "status=available&per_page=2", [
    "discord",
    "dropbox",
  ]),
  finds(INTEGRATIONS, "the last page of what can be connected", "status=available&per_page=2&page=3", [
    "zapier",
  ]),
  ...available.map(
    (type): Scenario => ({
      at: "GET /v1/integrations/:id",
      why: `what can be connected: ${type}`,
      change: { id: `int_${type}` },
      expected: { status: 200 },
    }),
  ),
  ...(["PATCH /v1/integrations/:id", "DELETE /v1/integrations/:id"] as const).map(
    (at): Scenario => ({
      at,
      why: "what can be connected, and is not",
      change: { id: "int_zapier" },
      expected: { status: 404, code: "not_found" },
    }),
  ),
  ...["int_slack", "int_github", "int_nosuch", "int_"].map(
    (id): Scenario => ({
      at: "GET /v1/integrations/:id",
      why: `${id}, which is not there to be connected`,
      change: { id },
      expected: { status: 404, code: "not_found" },
    }),
  ),
  ...["nosuch", "", "Connected", "active", "available%20", "connected,available"].map(
    (status): Scenario => ({
      at: INTEGRATIONS,
      why: `status=${status}`,
      change: { query: `status=${status}` },
      expected: {
        status: 422,
        code: "unprocessable",
        paths: ["status"],
        says: ["connected, available, pending_auth"],
      },
    }),
  ),
];

const pages = (at: EndpointName, [first, second]: readonly [string, string], total?: number): Scenario[] => [
  finds(at, "the first page", "per_page=1", [first], total),
  finds(at, "the second page", "per_page=1&page=2", [second], total),
  finds(at, "a page behind the last", "per_page=1&page=3", [], total),
  finds(at, "a page number alone", "page=2", [], total),
  finds(at, "101 a page", "per_page=101", [first, second], total),
  finds(at, "the deepest page of 101", "page=1000&per_page=101", [], total),
  finds(at, "an empty parameter list", "&&", [first, second], total),
];

const refused = (
  at: EndpointName,
  why: string,
  query: string,
  path: string,
  says: readonly string[] = [],
): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 400, code: "invalid_request", paths: [path], says },
});

const malformed = (at: EndpointName, known: readonly string[], unknown: readonly string[]): Scenario[] => [
  ...["page", "per_page"].flatMap((name) =>
    ["0", "-1", "1.5", "1e2", "abc", "", "%201", "0x10"].map((value) =>
      refused(at, `${name}=${value}`, `${name}=${value}`, name),
    ),
  ),
  ...["sort", "order", "q", "cursor", "nosuch", "__proto__", "constructor", "id", "caller", "workspace_id"]
    .concat(unknown)
    .map((name) => refused(at, `a parameter ${name}`, `${name}=1`, name)),
  ...known.map((name) => refused(at, `${name} twice`, `${name}=1&${name}=1`, name, ["repeated"])),
  ...["page=1001&per_page=100", "page=100001&per_page=1", "page=5001"].map((query) =>
    refused(at, `${query}, which is too deep`, query, "page", ["100,000"]),
  ),
];

/** What the lists that come whole may be asked for, and what not. */
export const plainListRows: readonly Scenario[] = [
  ...integrations,
  ...pages(INTEGRATIONS, ["slack", "github"]),
  ...malformed(INTEGRATIONS, ["status", "type", "page", "per_page"], ["name", "role"]),
  ...["%00", "%ED%A0%80", "%FF", "%4"].flatMap((text) => [
    refused(INTEGRATIONS, `type=${text}`, `type=${text}`, "type"),
  ]),
  ...pages(WEBHOOKS, ["/first", "/second"], 2),
  ...malformed(WEBHOOKS, ["page", "per_page"], ["status", "type", "url", "events"]),
];

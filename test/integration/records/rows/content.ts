import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { type EndpointName, newRecord } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of a record that are wrong, and what is said of it. */
interface Fault {
  readonly why: string;
  readonly members: Members;
  /** As where the record is the body itself. */
  readonly paths: readonly string[];
  readonly status?: 400 | 422;
  readonly says?: readonly string[];
}

const wrongTypes: readonly unknown[] = [5, null, true, {}, []];

const shown = (value: unknown) => JSON.stringify(value);

const notA = (member: string, values: readonly unknown[], path = member): Fault[] =>
  values.map((value) => ({ why: `${member} ${shown(value)}`, members: { [member]: value }, paths: [path] }));

const blanks = ["", " ", " \t\n", "\u00a0", "\u3000"];

const blank = (member: string): Fault[] =>
  blanks.map((text) => ({
    why: `${member} ${shown(text)}, which is blank`,
    members: { [member]: text },
    paths: [member],
    status: 422,
  }));

/** Strings that one of JSON, SQLite and MariaDB cannot keep. */
const notStorable = ["a\u0000b", "\u0000", "a\ud800b", "\udfff", "\ude00\ud83d"];

const cannotBeKept = (where: string, members: (text: string) => Members, path: (text: string) => string) =>
  notStorable.map(
    (text): Fault => ({
      why: `${where} with ${shown(text)}`,
      members: members(text),
      paths: [path(text)],
      says: ["U+0000"],
    }),
  );

const inName = cannotBeKept(
  "a name",
  (name) => ({ name }),
  () => "name",
);
const inType = cannotBeKept(
  "a type",
  (type) => ({ type }),
  () => "type",
);
const inStatus = cannotBeKept(
  "a status",
  (status) => ({ status }),
  () => "status",
);
const inTag = cannotBeKept(
  "a tag",
  (text) => ({ tags: ["a", text] }),
  () => "tags.1",
);
const inKey = cannotBeKept(
  "a key",
  (text) => ({ fields: { [text]: "1" } }),
  (text) => `fields.${text}`,
);
const inValue = cannotBeKept(
  "a field",
  (text) => ({ fields: { size: text } }),
  () => "fields.size",
);

/** Faults of members that every write of content takes. */
const commonFaults: readonly Fault[] = [
  ...notA("name", wrongTypes),
  ...blank("name"),
  ...notA("fields", [5, null, true, "a", []]),
  ...notA("tags", [5, null, true, "a", {}]),
  ...[5, null, {}, []].map((tag) => ({
    why: `a tag ${shown(tag)}`,
    members: { tags: ["a", tag] },
    paths: ["tags.1"],
  })),
  ...wrongTypes.map((value) => ({
    why: `a field's value ${shown(value)}`,
    members: { fields: { a: "1", size: value } },
    paths: ["fields.size"],
    status: 422 as const,
  })),
  { why: "an empty tag", members: { tags: ["a", ""] }, paths: ["tags.1"] },
  { why: "an empty key", members: { fields: { a: "1", "": "2" } }, paths: ["fields."] },
  ...inName,
  ...inTag,
  ...inKey,
  ...inValue,
  { why: "an unknown member", members: { colour: "red" }, paths: ["colour"] },
  { why: "an id", members: { id: "rec_01JZZZZZZZZZZZZZZZZZZZZZZZ" }, paths: ["id"] },
  {
    why: "times",
    members: { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" },
    paths: ["created_at", "updated_at"],
  },
  { why: "another workspace", members: { workspace_id: "ws_1" }, paths: ["workspace_id"] },
  {
    why: "two faults of one kind",
    members: { name: 5, tags: [""] },
    paths: ["name", "tags.0"],
  },
  {
    why: "a blank name and a wrong type: the wrong type is judged first",
    members: { name: " ", tags: "a" },
    paths: ["tags"],
  },
];

/** Faults that only a new record can have. */
const creationFaults: readonly Fault[] = [
  { why: "no name", members: { name: undefined }, paths: ["name"] },
  { why: "no type", members: { type: undefined }, paths: ["type"] },
  { why: "neither name nor type", members: { name: undefined, type: undefined }, paths: ["name", "type"] },
  { why: "a blank name and no type", members: { name: "", type: undefined }, paths: ["type"] },
  ...notA("type", wrongTypes),
  ...blank("type"),
  ...inType,
  { why: "a status", members: { status: "active" }, paths: ["status"] },
];

/** Faults that only a patch can have. */
const patchFaults: readonly Fault[] = [
  { why: "a type, which cannot be changed", members: { type: "task" }, paths: ["type"] },
  { why: "the type that it has", members: { type: "note" }, paths: ["type"] },
  ...notA("status", wrongTypes),
  ...["deleted", "", "Active", "active ", "aktiv"].map((status) => ({
    why: `a status ${shown(status)}`,
    members: { status },
    paths: ["status"],
    status: 422 as const,
    says: ["active, archived, draft"],
  })),
  ...inStatus,
];

/** Where a record's content can be sent, how, and under which path its members are told. */
export const contentEndpoints: readonly {
  readonly at: EndpointName;
  readonly body: (members: Members) => object;
  readonly prefix: string;
}[] = [
  { at: "POST /v1/data", body: (members) => ({ ...newRecord, ...members }), prefix: "" },
  {
    at: "POST /v1/data/bulk-create",
    body: (members) => ({ records: [newRecord, { ...newRecord, ...members }] }),
    prefix: "records.1.",
  },
  { at: "PATCH /v1/data/:id", body: (members) => members, prefix: "" },
];

/** The row that shows a fault at an endpoint. */
function faultRow(
  { at, body, prefix }: (typeof contentEndpoints)[number],
  { why, members, paths, status = 400, says }: Fault,
): Scenario {
  return {
    at,
    why,
    change: { body: body(members) },
    expected: {
      status,
      code: status === 400 ? "invalid_request" : "unprocessable",
      paths: paths.map((path) => prefix + path),
      says,
    },
  };
}

const perEndpoint: Scenario[] = contentEndpoints.flatMap((endpoint) => {
  const own = endpoint.at === "PATCH /v1/data/:id" ? patchFaults : creationFaults;
  return [...commonFaults, ...own].map((fault) => faultRow(endpoint, fault));
});

const good: NewRecord = newRecord;

/** Faults of the bulk endpoints' one member. */
const bulkFaults: Scenario[] = (
  [
    ["POST /v1/data/bulk-create", "records", good],
    ["DELETE /v1/data/bulk-delete", "ids", "rec_1"],
  ] as const
).flatMap(([at, member, item]) => [
  ...[undefined, ...wrongTypes.slice(0, 4), "a"].map(
    (value): Scenario => ({
      at,
      why: `${member} ${shown(value) ?? "missing"}`,
      change: { body: { [member]: value } },
      expected: { status: 400, code: "invalid_request", paths: [member] },
    }),
  ),
  ...[5, null, true, []].map(
    (value): Scenario => ({
      at,
      why: `${shown(value)} among the ${member}`,
      change: { body: { [member]: [item, value] } },
      expected: { status: 400, code: "invalid_request", paths: [`${member}.1`] },
    }),
  ),
  {
    at,
    why: `an empty list of ${member}`,
    change: { body: { [member]: [] } },
    expected: { status: 422, code: "unprocessable", paths: [member] },
  },
]);

/** An id that cannot be kept cannot be anyone's either, but it is no valid string. */
const badIds: Scenario[] = notStorable.map((text) => ({
  at: "DELETE /v1/data/bulk-delete",
  why: `an id ${shown(text)}`,
  change: ({ first }) => ({ body: { ids: [first, text] } }),
  expected: { status: 400, code: "invalid_request", paths: ["ids.1"] },
}));

/** What can be wrong with the content of a record, and with the lists of the bulk endpoints. */
export const contentRows: readonly Scenario[] = [...perEndpoint, ...bulkFaults, ...badIds];

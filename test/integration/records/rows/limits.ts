import type { NewRecord } from "../../../../services/records/record.schema.ts";
import type { Scenario, Stored } from "../support/scenario.ts";
import { contentEndpoints } from "./content.ts";
import { created } from "./usual.ts";

type Content = Partial<NewRecord>;

/** A limit: the largest content that it allows, the least that it does not, and what the refusal tells. */
interface Limit {
  readonly what: string;
  readonly largest: Content;
  readonly tooLarge: Content;
  readonly path: string;
  /** The limit, as the message names it. */
  readonly says: string;
}

const manyTags = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`);
const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, `${at}`]));
const oneKey = (key: string) => ({ fields: { [key]: "1" } });

/** A limit on the length of a string, in code points: of letters, and of emoji, which are two units each. */
const lengthLimits = (
  what: string,
  length: number,
  content: (text: string) => Content,
  path: (text: string) => string,
): Limit[] =>
  ["x", "😀"].map((letter) => ({
    what: `a ${what} of ${length} ${letter}`,
    largest: content(letter.repeat(length)),
    tooLarge: content(letter.repeat(length + 1)),
    path: path(letter.repeat(length + 1)),
    says: String(length),
  }));

const MAX_RECORD_BYTES = 65_536;

/** A record of so many bytes: name, type, and fields and tags as JSON. Its text is no words, and of two bytes a letter. */
function ofBytes(bytes: number): NewRecord {
  const empty = { name: "n", type: "note", fields: { a: "", b: "", c: "", d: "", rest: "" }, tags: ["t"] };
  const sizeOf = ({ name, type, fields, tags }: typeof empty) =>
    Buffer.byteLength(name + type + JSON.stringify(fields) + JSON.stringify(tags));
  const filled = { ...empty.fields };
  for (const key of ["a", "b", "c"] as const) filled[key] = "·".repeat(10_000);
  const left = bytes - sizeOf({ ...empty, fields: filled });
  return { ...empty, fields: { ...filled, rest: ".".repeat(left) } };
}

const commonLimits: readonly Limit[] = [
  ...lengthLimits(
    "name",
    255,
    (name) => ({ name }),
    () => "name",
  ),
  ...lengthLimits(
    "tag",
    64,
    (tag) => ({ tags: ["a", tag] }),
    () => "tags.1",
  ),
  ...lengthLimits("field key", 64, oneKey, (key) => `fields.${key}`),
  ...lengthLimits(
    "field value",
    10_000,
    (size) => ({ fields: { size } }),
    () => "fields.size",
  ),
  {
    what: "50 tags",
    largest: { tags: manyTags(50) },
    tooLarge: { tags: manyTags(51) },
    path: "tags",
    says: "50",
  },
];

const fieldCount: Limit = {
  what: "100 fields",
  largest: { fields: manyFields(100) },
  tooLarge: { fields: manyFields(101) },
  path: "fields",
  says: "100",
};

const creationLimits: readonly Limit[] = [
  ...lengthLimits(
    "type",
    64,
    (type) => ({ type }),
    () => "type",
  ),
  fieldCount,
  {
    what: "64 KiB in all",
    largest: ofBytes(MAX_RECORD_BYTES),
    tooLarge: ofBytes(MAX_RECORD_BYTES + 1),
    path: "",
    says: "65,536",
  },
];

const perEndpoint: Scenario[] = contentEndpoints.flatMap(({ at, body, prefix }) => {
  const isPatch = at === "PATCH /v1/data/:id";
  const limits = isPatch ? commonLimits : [...commonLimits, ...creationLimits];
  return limits.flatMap(({ what, largest, tooLarge, path, says }): Scenario[] => {
    const first = at === "POST /v1/data/bulk-create" ? [created({})] : [];
    const success = isPatch
      ? { status: 200, updates: withMergedFields(largest) }
      : { status: 201, creates: [...first, created(largest)] };
    const told = path === "" ? prefix.slice(0, -1) : prefix + path;
    return [
      { at, why: what, change: { body: body(largest) }, expected: success },
      {
        at,
        why: `${what}, and one more`,
        change: { body: body(tooLarge) },
        expected: { status: 400, code: "invalid_request", paths: [told], says: [says] },
      },
    ];
  });
});

function withMergedFields({ fields, ...rest }: Content): Partial<Stored> {
  return fields ? { ...rest, fields: { colour: "red", size: "10 m", ...fields } } : rest;
}

const full = { name: "Full", type: "note", fields: manyFields(100) };
const heavy = ofBytes(MAX_RECORD_BYTES);

/** A record is judged as the patch would leave it. */
const merged: Scenario[] = [
  {
    at: "PATCH /v1/data/:id",
    why: "a patch that changes one of 100 fields",
    given: [full],
    change: ({ given: [id = ""] }) => ({ id, body: { fields: { "key 99": "new" } } }),
    expected: { status: 200, updates: { fields: { ...full.fields, "key 99": "new" } } },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a patch that adds a field to 100",
    given: [full],
    change: ({ given: [id = ""] }) => ({ id, body: { fields: { "key 100": "new" } } }),
    expected: { status: 400, code: "invalid_request", paths: ["fields"], says: ["100"] },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a patch with 101 fields, whatever the record has",
    change: { body: { fields: manyFields(101) } },
    expected: { status: 400, code: "invalid_request", paths: ["fields"], says: ["100"] },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a patch that leaves a record of 64 KiB as heavy as it was",
    given: [heavy],
    change: ({ given: [id = ""] }) => ({ id, body: { tags: ["u"] } }),
    expected: { status: 200, updates: { tags: ["u"] } },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a patch that adds a byte to a record of 64 KiB",
    given: [heavy],
    change: ({ given: [id = ""] }) => ({ id, body: { tags: ["uu"] } }),
    expected: { status: 400, code: "invalid_request", paths: [""], says: ["65,536"] },
  },
];

const many = (count: number) => Array.from({ length: count }, () => ({ name: "N", type: "t" }));
const ids = (count: number) => Array.from({ length: count }, (_, at) => `rec_${at}`);

const bulk: Scenario[] = [
  {
    at: "POST /v1/data/bulk-create",
    why: "1,000 records",
    change: { body: { records: many(1_000) } },
    expected: { status: 201, creates: many(1_000).map(created) },
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "1,001 records",
    change: { body: { records: many(1_001) } },
    expected: { status: 400, code: "invalid_request", paths: ["records"], says: ["1000"] },
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "1,000 records of which the last has a fault",
    change: { body: { records: [...many(999), { name: "N" }] } },
    expected: { status: 400, code: "invalid_request", paths: ["records.999.type"] },
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "1,000 records of which the first is blank and the last lacks its type",
    change: { body: { records: [{ name: "", type: "t" }, ...many(998), { name: "N" }] } },
    expected: { status: 400, code: "invalid_request", paths: ["records.999.type"] },
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "1,000 ids",
    change: ({ first }) => ({ body: { ids: [...ids(999), first] } }),
    expected: { status: 200, meta: { deleted: 1, failed: 999 }, removes: ({ first }) => [first] },
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "1,001 ids",
    change: ({ first }) => ({ body: { ids: [...ids(1_000), first] } }),
    expected: { status: 400, code: "invalid_request", paths: ["ids"], says: ["1000"] },
  },
];

/** Every limit: what is just allowed, and what is just not. */
export const limitRows: readonly Scenario[] = [...perEndpoint, ...merged, ...bulk];

import type { RecordResource } from "../../services/records/record.schema.ts";
import type { Random } from "./random.ts";

/** What of a record its client writes and gets back as it was. */
export type Content = Pick<RecordResource, "name" | "type" | "fields" | "tags">;

/** A write that a lane may send. `takes` are the records that it is about: nobody else touches them meanwhile. */
export type Write = { readonly method: string; readonly path: string; readonly body?: object } & (
  | { readonly kind: "create"; readonly status: 201; readonly marker: string; readonly contents: Content[] }
  | {
      readonly kind: "patch";
      readonly status: 200;
      readonly takes: readonly [RecordResource];
      readonly after: RecordResource;
    }
  | { readonly kind: "delete"; readonly status: 200 | 204; readonly takes: readonly RecordResource[] }
  | { readonly kind: "merge"; readonly status: 200; readonly value: string }
  | { readonly kind: "refused"; readonly status: number }
);

export type WriteOf<Kind extends Write["kind"]> = Extract<Write, { kind: Kind }>;

/** Texts that no two requests share: `marker` is a word of its own, and stands in each record of a request. */
export interface Texts {
  /** The word by which all records of the lane are found. */
  readonly laneWord: string;
  readonly marker: string;
  readonly random: Random;
}

const types = ["document", "task", "note"];
const statuses = ["active", "archived", "draft"];
const words = ["budget", "Café", "Straße", "東京", "report", "v2", "north", "Ключ", "plan", "zebra"];
const UNKNOWN_ID = "rec_00000000000000000000000000";

/** A new record; the lane's word leads to it. */
export function newContent({ laneWord, marker, random }: Texts, index = 0): Content {
  return {
    name: `${laneWord} ${random.pick(words)} ${marker}`,
    type: random.pick(types),
    fields: { marker, index: String(index), note: `${random.pick(words)} ${random.pick(words)}` },
    tags: [random.pick(words)],
  };
}

export function createOne(texts: Texts): WriteOf<"create"> {
  const content = newContent(texts);
  return {
    ...{ kind: "create", method: "POST", path: "/v1/data", body: content, status: 201 },
    marker: texts.marker,
    contents: [content],
  };
}

export function createMany(texts: Texts, count: number): WriteOf<"create"> {
  const contents = Array.from({ length: count }, (_, index) => newContent(texts, index));
  return {
    ...{ kind: "create", method: "POST", path: "/v1/data/bulk-create", status: 201 },
    body: { records: contents },
    marker: texts.marker,
    contents,
  };
}

export function patchOne({ laneWord, marker, random }: Texts, record: RecordResource): WriteOf<"patch"> {
  const fields = { [random.pick(["note", "extra", "owner"])]: `${random.pick(words)} ${marker}` };
  const patch = {
    name: `${laneWord} ${random.pick(words)} ${marker}`,
    status: random.pick(statuses),
    fields,
  };
  return {
    ...{ kind: "patch", method: "PATCH", path: `/v1/data/${record.id}`, body: patch, status: 200 },
    takes: [record],
    after: { ...record, ...patch, fields: { ...record.fields, ...fields } },
  };
}

export function removeOne(record: RecordResource): WriteOf<"delete"> {
  return { kind: "delete", method: "DELETE", path: `/v1/data/${record.id}`, status: 204, takes: [record] };
}

export function removeMany(records: readonly RecordResource[]): WriteOf<"delete"> {
  const body = { ids: records.map(({ id }) => id) };
  return {
    kind: "delete",
    method: "DELETE",
    path: "/v1/data/bulk-delete",
    body,
    status: 200,
    takes: records,
  };
}

/** Writes the lane's own key of a record that all lanes write to. */
export function merge(sharedId: string, laneWord: string, value: string): WriteOf<"merge"> {
  const body = { fields: { [laneWord]: value } };
  return { kind: "merge", method: "PATCH", path: `/v1/data/${sharedId}`, body, status: 200, value };
}

/** Requests that must be refused, each for a reason of its own, and leave no trace. */
export function refusedWrites(texts: Texts, sharedId: string): WriteOf<"refused">[] {
  const content = newContent(texts);
  const blank = { ...content, name: " " };
  const overFull = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`key ${at}`, texts.marker]));
  const tooLarge = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`key ${at}`, "x".repeat(9_900)]));
  const records = [newContent(texts, 0), newContent(texts, 1), blank];
  const refusal = (method: string, path: string, body: object | undefined, status: number) =>
    ({ kind: "refused", method, path, body, status }) as const;
  return [
    refusal("POST", "/v1/data", { type: "note", fields: content.fields }, 400),
    refusal("POST", "/v1/data", blank, 422),
    refusal("POST", "/v1/data", { ...content, fields: { marker: 7 } }, 422),
    refusal("POST", "/v1/data", { ...content, fields: tooLarge }, 400),
    refusal("POST", "/v1/data/bulk-create", { records }, 422),
    refusal("PATCH", `/v1/data/${sharedId}`, { name: texts.marker, fields: overFull }, 400),
    refusal("PATCH", `/v1/data/${sharedId}`, { name: texts.marker, fields: tooLarge }, 400),
    refusal("PATCH", `/v1/data/${sharedId}`, { name: texts.marker, status: "lost" }, 422),
    refusal("PATCH", `/v1/data/${UNKNOWN_ID}`, { name: texts.marker }, 404),
    refusal("DELETE", `/v1/data/${UNKNOWN_ID}`, undefined, 404),
  ];
}

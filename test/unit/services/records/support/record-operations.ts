import fc from "fast-check";
import {
  type NewRecord,
  type RecordPatch,
  type RecordResource,
  recordStatuses,
} from "../../../../../services/records/record.schema.ts";
import type { TestWorkspace } from "./test-workspace.ts";

/** Equal values, words that begin alike, and names that sort otherwise by UTF-16 unit than by code point. */
const names = fc.constantFrom(
  "zebra",
  "zeb",
  "Zebra crossing",
  "a",
  "a ",
  "é",
  "～",
  "😀",
  "\u{10000}",
  "数据库",
  "",
);
const types = fc.constantFrom("note", "task", "～", "😀");
const fields = fc.dictionary(fc.constantFrom("a", "b", "10", "2"), names, {
  maxKeys: 3,
  noNullPrototype: true,
});
const newRecords: fc.Arbitrary<NewRecord> = fc.record(
  { name: names, type: types, fields },
  { noNullPrototype: true },
);
const patches: fc.Arbitrary<Omit<RecordPatch, "id">> = fc.record(
  {
    name: names,
    fields,
    status: fc.constantFrom(...recordStatuses),
    tags: fc.array(names, { maxLength: 2 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
/** Which of the records that there are: what is beyond them is one that was removed or never was. */
const places = fc.nat({ max: 9 });

/** One request to change records. */
export type RecordOperation =
  | { readonly kind: "create"; readonly records: readonly NewRecord[] }
  | { readonly kind: "update"; readonly place: number; readonly patch: Omit<RecordPatch, "id"> }
  | { readonly kind: "remove"; readonly places: readonly number[] };

export const recordOperations: fc.Arbitrary<RecordOperation> = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    records: fc.array(newRecords, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("update" as const), place: places, patch: patches }),
  fc.record({
    kind: fc.constant("remove" as const),
    places: fc.array(places, { minLength: 1, maxLength: 3 }),
  }),
);

/** The records that there must be, and all ids that there ever were. */
export class RecordModel {
  readonly records = new Map<string, RecordResource>();
  readonly #ids: string[] = [];

  /** Of records that were removed. */
  goneIds(): string[] {
    return this.#ids.filter((id) => !this.records.has(id));
  }

  /** Carries the operation out on workspace and model, which must answer alike. */
  async run({ caller, writer }: TestWorkspace, operation: RecordOperation): Promise<void> {
    if (operation.kind === "create") {
      const { items } = await writer.createMany(caller, operation.records);
      for (const record of items) this.#put(record);
    } else if (operation.kind === "update") {
      const id = this.#idAt(operation.place);
      const updated = await writer.update(caller, { id, ...operation.patch }).catch(notFoundOnly);
      if ((updated !== undefined) !== this.records.has(id)) throw new Error(`An update missed: ${id}.`);
      if (updated) this.#put(updated);
    } else {
      const ids = operation.places.map((place) => this.#idAt(place));
      const deleted = await writer.removeMany(caller, ids);
      const expected = [...new Set(ids)].filter((id) => this.records.delete(id)).length;
      if (deleted !== expected) throw new Error(`${deleted} and not ${expected} records were removed.`);
    }
  }

  #put(record: RecordResource): void {
    if (!this.#ids.includes(record.id)) this.#ids.push(record.id);
    this.records.set(record.id, record);
  }

  #idAt(place: number): string {
    return this.#ids[place] ?? "rec_nobody";
  }
}

function notFoundOnly(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === 404) return undefined;
  throw error;
}

import type { ServiceBroker } from "moleculer";
import { newId } from "../../../../lib/ids.ts";
import { databaseOf } from "../../../../mixins/database.middleware.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { RecordWriter } from "../../../../services/records/record-writer.ts";
import { callerOf, insertSide, newSide, type Sides } from "../../scenarios/sides.ts";

/** What a row of the table finds when it begins: two workspaces that know nothing of each other. */
export interface World extends Sides {
  /** Ids of the home workspace's records, in the order in which they were made. */
  readonly first: string;
  readonly second: string;
  /** The one that is archived. */
  readonly third: string;
  /** The id of a record that was deleted. */
  readonly gone: string;
  /** The id of a record of the foreign workspace. */
  readonly theirs: string;
  /** An id that no record ever had. */
  readonly unknown: string;
  /** Ids of the records that the row itself asked for. */
  readonly given: readonly string[];
}

export const firstRecord = {
  name: "First",
  type: "note",
  fields: { colour: "red", size: "10 m" },
  tags: ["a", "b"],
};

const seeds: readonly NewRecord[] = [
  firstRecord,
  { name: "Second", type: "task", fields: { colour: "dark red" } },
  { name: "Third", type: "note", tags: ["c"] },
  { name: "Gone", type: "note" },
];

/**
 * Makes a world in the database of a running program, past its HTTP interface, so that no limit of that counts.
 * @param given further records of the home workspace
 */
export async function newWorld(broker: ServiceBroker, given: readonly NewRecord[] = []): Promise<World> {
  const home = newSide();
  const foreign = newSide();
  const database = databaseOf(broker);
  await database.transaction(async (transaction) => {
    await insertSide(transaction, home);
    await insertSide(transaction, foreign);
  });
  const writer = new RecordWriter(new Outbox(database, () => {}));
  const [
    { items: created },
    {
      items: [{ id: theirs } = { id: "" }],
    },
  ] = await Promise.all([
    writer.createMany(callerOf(home, "editor"), [...seeds, ...given]),
    writer.createMany(callerOf(foreign, "editor"), [
      { ...firstRecord, name: "Theirs" },
      { ...firstRecord, name: "Theirs too" },
    ]),
  ]);
  const [first = "", second = "", third = "", gone = "", ...rest] = created.map(({ id }) => id);
  await Promise.all([
    writer.update(callerOf(home, "editor"), { id: third, status: "archived" }),
    writer.remove(callerOf(home, "editor"), gone),
  ]);
  return { home, foreign, first, second, third, gone, theirs, unknown: newId("record"), given: rest };
}

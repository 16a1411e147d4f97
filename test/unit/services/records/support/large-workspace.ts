import type { Database } from "../../../../../db/database.ts";
import { type NewRecord, recordStatuses } from "../../../../../services/records/record.schema.ts";
import { newTestWorkspace, type TestWorkspace } from "./test-workspace.ts";

const BULK = 2_000;
/** As many records as have the rare words and the rare type, whatever the size of the workspace. */
export const FEW = 15;

/** Every record has the words `common` and `usual`, the first few `zebra` and the type `few`. */
function record(at: number): NewRecord {
  return {
    name: `common ${at % 500}`,
    type: at < FEW ? "few" : (["note", "task"][at % 2] ?? ""),
    fields: { other: at < FEW ? "usual zebra" : "usual" },
  };
}

/** A workspace of so many records, a few of them of each status. */
export async function newLargeWorkspace(database: Database, records: number): Promise<TestWorkspace> {
  const workspace = newTestWorkspace(database);
  const { caller, writer } = workspace;
  for (let start = 0; start < records; start += BULK) {
    const count = Math.min(BULK, records - start);
    await writer.createMany(
      caller,
      Array.from({ length: count }, (_, at) => record(start + at)),
    );
  }
  const { items } = await workspace.list({ per_page: 100 });
  for (const [at, { id }] of items.entries()) {
    await writer.update(caller, { id, status: recordStatuses[at % 3] });
  }
  return workspace;
}

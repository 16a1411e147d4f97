import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { parseOrdered, stringifyOrdered } from "../../../../lib/ordered-json.ts";
import type { EventRow } from "../../../../mixins/event.entity.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { contentOfBytes } from "./support/content-of-bytes.ts";
import { newTestWorkspace, type TestWorkspace, unknownId } from "./support/test-workspace.ts";

/** The databases' clock is the host's here, give or take the precision of either. */
const CLOCK_TOLERANCE_MS = 2_000;

describeOnBothDatabases("the events of records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const eventsOf = ({ caller }: TestWorkspace) =>
    database.read.query<EventRow>("SELECT * FROM events WHERE workspace_id = ? ORDER BY id", [
      caller.workspaceId,
    ]);

  /** The payload as receivers get it: the delivery shape around the whole resource and who did it. */
  const payload = (
    { caller, clock }: TestWorkspace,
    event: string,
    resource: object,
    actor: "created_by" | "updated_by" | "deleted_by",
  ) =>
    stringifyOrdered({
      event,
      timestamp: new Date(clock.nowMs).toISOString(),
      workspace_id: caller.workspaceId,
      data: { ...resource, [actor]: caller.userId },
    });

  test("tell of each change with the whole resource and who did it", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, create } = workspace;
    const fields = parseOrdered<Record<string, string>>('{"b":"1","2":"x","__proto__":"y"}');
    const created = await create({ name: "Plan 😀 ", fields, tags: ["t"] });
    const expected = [payload(workspace, "record.created", created, "created_by")];
    const updated = await writer.update(caller, { id: created.id, status: "draft", fields: { "1": "z" } });
    expected.push(payload(workspace, "record.updated", updated, "updated_by"));
    await writer.remove(caller, created.id);
    expected.push(payload(workspace, "record.deleted", updated, "deleted_by"));
    expect((await eventsOf(workspace)).map((event) => event.payload)).toEqual(expected);
  });

  test("are rows with an id, the kind, and the moment by the database's clock", async () => {
    const workspace = newTestWorkspace(database);
    const before = Date.now();
    await workspace.create();
    const [event] = await eventsOf(workspace);
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_/), event: "record.created" });
    expect(event?.created_at).toBeGreaterThan(before - CLOCK_TOLERANCE_MS);
    expect(event?.created_at).toBeLessThan(Date.now() + CLOCK_TOLERANCE_MS);
  });

  test("are one a record in bulk, in the order of the request", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer } = workspace;
    const records = Array.from({ length: 75 }, (_, at) => ({ name: `Record ${at}`, type: "note" }));
    const { items: created } = await writer.createMany(caller, records);
    const data = (await eventsOf(workspace)).map(({ payload }) => JSON.parse(payload).data);
    expect(data).toEqual(created.map((record) => ({ ...record, created_by: caller.userId })));
  });

  test("are one a removed record in bulk, none for an id that is not there or comes again", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, create } = workspace;
    const made = [await create(), await create()];
    const ids = made.map(({ id }) => id);
    await writer.removeMany(caller, [...ids, unknownId(), ...ids]);
    const deleted = (await eventsOf(workspace)).filter(({ event }) => event === "record.deleted");
    expect(deleted.map(({ payload }) => JSON.parse(payload).data)).toEqual(
      made.map((record) => ({ ...record, deleted_by: caller.userId })),
    );
  });

  test("name the user who acts, not the one who created", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, create } = workspace;
    const { id } = await create();
    await writer.update({ ...caller, userId: "usr_other" }, { id, name: "Changed" });
    await writer.remove({ ...caller, userId: "usr_third" }, id);
    const data = (await eventsOf(workspace)).map(({ payload }) => JSON.parse(payload).data);
    expect(data).toMatchObject([
      { created_by: caller.userId },
      { updated_by: "usr_other" },
      { deleted_by: "usr_third" },
    ]);
    expect(Object.keys(data[1])).not.toContain("created_by");
  });

  test("tell of every change of one record in the order in which they happened", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, clock, create } = workspace;
    clock.tickMs = 0;
    const { id } = await create({ name: "0" });
    for (const name of ["1", "2", "3"]) await writer.update(caller, { id, name });
    const names = (await eventsOf(workspace)).map(({ payload }) => JSON.parse(payload).data.name);
    expect(names).toEqual(["0", "1", "2", "3"]);
  });

  test("are announced after the commit, by id and kind", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, notices } = workspace;
    const { items: created } = await writer.createMany(caller, [
      { name: "a", type: "note" },
      { name: "b", type: "note" },
    ]);
    await writer.removeMany(
      caller,
      created.map(({ id }) => id),
    );
    const ids = (await eventsOf(workspace)).map(({ id }) => id);
    expect(notices).toEqual([
      { event: "record.created", ids: ids.slice(0, 2) },
      { event: "record.deleted", ids: ids.slice(2) },
    ]);
  });

  test("do not exist for what was refused, was not found or changed nothing", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, notices, create } = workspace;
    const { id } = await create(contentOfBytes(65_536));
    const attempts = [
      () => create(contentOfBytes(65_537)),
      () => writer.createMany(caller, [{ name: "a", type: "note" }, contentOfBytes(65_537)]),
      () => writer.update(caller, { id, name: "One byte too many" }),
      () => writer.update(caller, { id: unknownId(), name: "Nobody" }),
      () => writer.remove(caller, unknownId()),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ name: "ServiceError" });
    await writer.update(caller, { id });
    await writer.removeMany(caller, [unknownId()]);
    expect((await eventsOf(workspace)).map(({ event }) => event)).toEqual(["record.created"]);
    expect(notices).toHaveLength(1);
  });
});

import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { providers } from "../../../../services/integrations/catalog.ts";
import type { ListIntegrationsParams } from "../../../../services/integrations/integration.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newTestIntegrations, type TestIntegrations } from "./support/test-integrations.ts";

describeOnBothDatabases("the list of integrations", (open) => {
  let database: Database;
  /** Connected to three of the seven, the newest of which comes first in the alphabet. */
  let acme: TestIntegrations;

  beforeAll(async () => {
    database = await open();
    acme = await newTestIntegrations(database);
    for (const type of ["zapier", "github", "discord"] as const) await acme.connect(type);
  });

  const typesOf = async (params: ListIntegrationsParams) => (await acme.list(params)).map(({ type }) => type);

  test.each<[ListIntegrationsParams, string[]]>([
    [{}, ["zapier", "github", "discord"]],
    [{ status: "connected" }, ["zapier", "discord"]],
    [{ status: "pending_auth" }, ["github"]],
    [{ status: "available" }, ["dropbox", "gitlab", "google_drive", "slack"]],
    [{ type: "github" }, ["github"]],
    [{ type: "slack" }, []],
    [{ type: "GitHub" }, []],
    [{ type: "github " }, []],
    [{ type: "" }, []],
    [{ type: "nosuch" }, []],
    [{ type: "slack", status: "available" }, ["slack"]],
    [{ type: "github", status: "available" }, []],
    [{ type: "github", status: "connected" }, []],
    [{ page: 1 }, ["zapier", "github", "discord"]],
    [{ page: 2 }, []],
    [{ per_page: 2 }, ["zapier", "github"]],
    [{ page: 2, per_page: 2 }, ["discord"]],
    [{ per_page: 1_000 }, ["zapier", "github", "discord"]],
    [{ status: "available", page: 2, per_page: 3 }, ["slack"]],
  ])("with %j has %j", async (params, expected) => {
    expect(await typesOf(params)).toEqual(expected);
  });

  test("refuses too deep a page", async () => {
    await expect(acme.list({ page: 1_001, per_page: 100 })).rejects.toMatchObject({
      errorCode: "invalid_request",
      details: [{ path: "page" }],
    });
  });

  test("of a new workspace is empty, and everything is available", async () => {
    const fresh = await newTestIntegrations(database);
    expect(await fresh.list()).toEqual([]);
    expect(await fresh.list({ status: "available" })).toEqual(
      providers.map(({ type, name }) => ({
        id: `int_${type}`,
        type,
        name,
        status: "available",
        connected_at: null,
        config: {},
      })),
    );
  });

  test("shows what is available under an id that fetches it, until it is connected and after", async () => {
    const fresh = await newTestIntegrations(database);
    const available = await fresh.list({ status: "available" });
    for (const item of available) expect(await fresh.get(item.id)).toEqual(item);
    const { id } = await fresh.connect("slack");
    await expect(fresh.get("int_slack")).rejects.toMatchObject({ errorCode: "not_found", code: 404 });
    await fresh.writer.remove(fresh.caller, id);
    expect(await fresh.get("int_slack")).toMatchObject({ status: "available" });
  });

  test("awaiting an authorization is not being available", async () => {
    await expect(acme.get("int_github")).rejects.toMatchObject({ code: 404 });
  });

  test.each(["int_nosuch", "int_", "slack", "INT_SLACK", "int_slack ", "", "int_constructor"])(
    "leads to nothing under the id %p",
    async (id) => {
      await expect(acme.get(id)).rejects.toMatchObject({ code: 404 });
    },
  );

  test("shows one whose provider this version does not know", async () => {
    const fresh = await newTestIntegrations(database);
    const { id } = await fresh.connect("slack");
    await database.transaction((transaction) =>
      transaction.execute("UPDATE integrations SET type = 'newer' WHERE id = ?", [id]),
    );
    expect(await fresh.list()).toMatchObject([{ id, type: "newer", name: "newer", status: "connected" }]);
  });
});

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import { type App, startApp } from "../../support/app.ts";
import { request } from "../../support/http.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";

const KEYS = 40;

describeMariaDb("two nodes on one database that get the same POSTs at the same time", () => {
  let nodes: App[];

  beforeAll(async () => {
    const server = await startMariaDb();
    const env = { DATABASE_URL: await server.createDatabase(), BOOTSTRAP_API_KEY: "key-of-two-nodes-tests" };
    nodes = [await startApp({ env }), await startApp({ env })];
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test("do each of them once, and give its one answer back on both", async () => {
    const send = (node: App, at: number) =>
      request(node, "POST", "/v1/data", {
        body: { name: `Record ${at}`, type: "note" },
        headers: { "Idempotency-Key": `key-${at}` },
      });
    const everywhere = Array.from({ length: KEYS }, (_, at) => nodes.map((node) => send(node, at))).flat();
    const statuses = new Set((await Promise.all(everywhere)).map(({ status }) => status));
    expect([...statuses.difference(new Set([201, 409]))]).toEqual([]);

    for (let at = 0; at < KEYS; at += 1) {
      const [one, other] = await Promise.all(nodes.map((node) => send(node, at)));
      expect(one?.status).toBe(201);
      expect(other?.text).toBe(one?.text);
    }
    const [first] = nodes;
    if (!first) throw new Error("There are no nodes.");
    const { read } = databaseOf(first.broker);
    expect(await read.query("SELECT id FROM records")).toHaveLength(KEYS);
    expect(await read.query("SELECT id FROM events")).toHaveLength(KEYS);
  });
});

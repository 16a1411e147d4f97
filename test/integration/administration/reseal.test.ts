import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { freshSqliteStorage } from "../../support/databases.ts";
import type { Environment } from "../../support/environment.ts";
import { request } from "../../support/http.ts";
import { type ProgramProcess, startProcess } from "../../support/process.ts";
import { runRepl } from "../../support/repl.ts";
import { cells } from "../../support/table-cells.ts";
import { waitFor } from "../../support/wait-for.ts";

const BOOTSTRAP_KEY = "a-key-of-twenty-characters";
const CONFIGS = {
  slack: { channel: "#ops", bot_token: "xoxb-1" },
  zapier: { hook_url: "https://hooks.example/1" },
};

const running: ProgramProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

/** A process on the folder whose clients all have the one key. */
async function start(dataDir: string, secrets: Environment = {}): Promise<ProgramProcess> {
  const service = await startProcess({ dataDir, env: { BOOTSTRAP_API_KEY: BOOTSTRAP_KEY, ...secrets } });
  running.push(service);
  return service;
}

const connect = (service: ProgramProcess, type: keyof typeof CONFIGS) =>
  request(service, "POST", "/v1/integrations", { body: { type, config: CONFIGS[type] } });

test("a service that runs on with the key before stores no secret, says why in its log, and goes on with the new one", async () => {
  const { dataDir } = await freshSqliteStorage();
  const file = path.join(dataDir, "secret.key");
  const before = await start(dataDir);
  expect(await connect(before, "slack")).toMatchObject({ status: 201 });

  const old = (await readFile(file, "utf8")).trim();
  const fresh = Buffer.alloc(32, "fresh").toString("base64");
  const resealed = await runRepl(
    { DATA_DIR: dataDir, SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: old },
    "secrets reseal",
  );
  expect(resealed).toMatchObject({ status: 0, stderr: "" });
  expect(cells(resealed.stdout)).toEqual([
    ["resealed", "1"],
    ["unreadable", "0"],
  ]);

  const refused = await connect(before, "zapier");
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
  expect(JSON.stringify(refused.body)).not.toContain("SECRET_KEY");
  const why = "SECRET_KEY was replaced by `secrets reseal`";
  await waitFor(() => `${before.stdout()}${before.stderr()}`.includes(why), { what: "the log to say why" });
  expect(await request(before, "GET", "/v1/integrations")).toMatchObject({
    body: { data: [{ type: "slack" }] },
  });
  await before.stop();

  await writeFile(file, fresh);
  const after = await start(dataDir);
  expect(await connect(after, "zapier")).toMatchObject({ status: 201 });
  const done = await runRepl({ DATA_DIR: dataDir }, "secrets reseal");
  expect(cells(done.stdout)).toEqual([
    ["resealed", "0"],
    ["unreadable", "0"],
  ]);
}, 30_000);

import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openDatabase } from "../../../db/open-database.ts";
import type { Config } from "../../../lib/config.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { type Environment, TEST_SECRET_KEY } from "../../support/environment.ts";
import { request } from "../../support/http.ts";
import { type ProgramProcess, startProcess } from "../../support/process.ts";
import { type ReplProcess, startRepl } from "../../support/repl.ts";
import { cells } from "../../support/table-cells.ts";
import { waitFor } from "../../support/wait-for.ts";

/** What leads the REPL to the database. */
function environmentOf({ dataDir, databaseUrl }: Config["storage"]): Environment {
  return databaseUrl === undefined
    ? { DATA_DIR: dataDir }
    : { DATABASE_URL: databaseUrl, SECRET_KEY: TEST_SECRET_KEY };
}

const parsed = (stdout: string) => JSON.parse(stdout);

describeOnBothDatabases("the REPL beside a running service", (_open, freshStorage) => {
  let storage: Config["storage"];
  let service: ProgramProcess;
  let repl: ReplProcess;

  beforeAll(async () => {
    storage = await freshStorage();
    const env = environmentOf(storage);
    const quiet = { RATE_LIMIT_REQUESTS: "0", LOG_LEVEL: "warn" };
    service = await startProcess({ env: { ...env, ...quiet } });
    repl = await startRepl(env);
  }, 30_000);

  afterAll(async () => {
    await repl.end();
    await service.stop();
  });

  test("calls actions as the admin of the only workspace, with flags as the schema takes them", async () => {
    const { stdout, stderr } = await repl.run(
      "call records.create --name 007 --type note --fields.owner Ana --fields.10 5 --tags a --tags 2",
    );
    expect(stderr).toBe("");
    expect(parsed(stdout)).toMatchObject({
      id: expect.stringMatching(/^rec_/),
      name: "007",
      fields: { owner: "Ana", "10": "5" },
      tags: ["a", "2"],
    });
    const served = await request(service, "GET", `/v1/data/${parsed(stdout).id}`);
    expect(served.body.data).toEqual(parsed(stdout));
  });

  test("takes JSON for params, in quotes and without", async () => {
    const { stdout, stderr } = await repl.run(
      'call records.create {"name": "Café au lait", "type": "drink"}',
      `call records.create '{"name": "Café noir", "type": "drink"}'`,
      "call records.list --per_page 2 --q cafe",
    );
    expect(stderr).toBe("");
    const list = parsed(stdout.slice(stdout.indexOf('{\n  "items"')));
    expect(list).toMatchObject({ per_page: 2, total: 2 });
    expect(list.items.map(({ name }: { name: string }) => name)).toEqual(["Café au lait", "Café noir"]);
  });

  test("works with users, whose new one is listed and shown in tables", async () => {
    const made = await repl.run("call users.create --email eve@b.example --name Eve --role viewer");
    const { id } = parsed(made.stdout);
    const { stdout, stderr } = await repl.run("users list --role viewer", `users show ${id}`);
    expect(stderr).toBe("");
    const [heads, user, ...shown] = cells(stdout);
    expect(heads).toEqual(["ID", "ROLE", "STATUS", "CREATED", "EMAIL", "NAME"]);
    expect(user).toEqual([id, "viewer", "active", expect.any(String), "eve@b.example", "Eve"]);
    expect(Object.fromEntries(shown)).toMatchObject({ id, email: "eve@b.example", role: "viewer" });
  });

  test("connects an integration, lists it, and never shows its credential", async () => {
    const { stdout, stderr } = await repl.run(
      'call integrations.create --type slack --config.channel "#news" --config.bot_token xoxb-of-the-test',
      "integrations list",
      "registrations list",
      "secrets reseal",
    );
    expect(stderr).toBe("There is no registration.\n");
    expect(stdout).not.toContain("xoxb-of-the-test");
    expect(stdout).toMatch(/^ID +TYPE +STATUS +CONNECTED +NAME\nint_\w+ +slack +connected +\S+Z +Slack$/m);
    expect(stdout).toMatch(/^resealed +0\nunreadable +0\n$/m);
  });

  test("writes events that name a real user", async () => {
    const { stdout } = await repl.run(
      "call records.create --name Signed --type note",
      "users list --role admin",
    );
    const adminId = cells(stdout).at(-1)?.[0];
    expect(adminId).toMatch(/^usr_/);
    const database = await openDatabase(storage);
    const events = await database.read.query<{ payload: string }>("SELECT payload FROM events");
    await database.close();
    const signed = events.filter(({ payload }) => payload.includes('"name":"Signed"'));
    expect(signed).toHaveLength(1);
    expect(signed[0]?.payload).toContain(`"created_by":"${adminId}"`);
  });

  test("takes back a key, which the running service refuses within 5 seconds", async () => {
    const { stdout: users } = await repl.run("users list --role admin");
    const userId = cells(users)[1]?.[0];
    const { stdout: made } = await repl.run(`keys create ${userId} --name="Continuous integration"`);
    const [[, keyId, name] = [], [key = ""] = []] = cells(made);
    expect(name).toBe("Continuous integration");
    const status = async () => (await request(service, "GET", "/v1/data", { key })).status;
    expect(await status()).toBe(200);

    const revoked = await repl.run(`keys revoke ${keyId}`);
    expect(revoked.stderr).toBe("");
    await waitFor(async () => (await status()) === 401, {
      what: "the service to refuse the key",
      timeoutMs: 8_000,
    });
  });

  test("and the service write at once, and neither loses anything", async () => {
    const names = Array.from({ length: 20 }, (_, place) => `typed ${place}`);
    const typing = repl.run(...names.map((name) => `call records.create --name "${name}" --type busy`));
    const sending = Array.from({ length: 100 }, (_, place) =>
      request(service, "POST", "/v1/data", { body: { name: `sent ${place}`, type: "busy" } }),
    );
    const sent = await Promise.all(sending);
    expect((await typing).stderr).toBe("");
    expect(sent.map(({ status }) => status)).toEqual(Array(100).fill(201));
    const { body } = await request(service, "GET", "/v1/data?type=busy&per_page=1");
    expect(body.meta.total).toBe(120);
  });

  test("asks for a workspace where there are several, and acts in the chosen one", async () => {
    const { stdout } = await repl.run('workspaces create "Acme Inc" --email ada@acme.example');
    const [, acmeId = ""] = cells(stdout)[0] ?? [];

    const refused = await repl.run("call records.list");
    expect(refused.stdout).toBe("");
    expect(refused.stderr).toMatch(/^In which workspace\? /);
    expect(refused.stderr).toContain(`${acmeId}  Acme Inc`);

    const chosen = await repl.run(
      `workspace ${acmeId}`,
      "call records.create --name Ours --type note",
      "users list",
    );
    expect(chosen.stderr).toBe("");
    expect(chosen.stdout).toMatch(/ada@acme\.example/);
    const others = await request(service, "GET", "/v1/data?q=ours");
    expect(others.body.meta.total).toBe(0);
    const named = await repl.run(`users list --workspace ${acmeId}`);
    expect(cells(named.stdout)).toHaveLength(2);
  });
});

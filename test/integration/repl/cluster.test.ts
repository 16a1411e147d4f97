import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Environment } from "../../support/environment.ts";
import { request } from "../../support/http.ts";
import { describeNats, type NatsServer, startNats } from "../../support/nats.ts";
import { type ProgramProcess, startProcess } from "../../support/process.ts";
import { type ReplProcess, runRepl, startRepl } from "../../support/repl.ts";
import { cells } from "../../support/table-cells.ts";
import { waitFor } from "../../support/wait-for.ts";

const BOOTSTRAP_KEY = "a-key-that-nobody-is-shown";
const SECRET_KEY = Buffer.alloc(32, 7).toString("base64");

/** Whatever moleculer-repl has, by the files that hold it, but for what leaves or runs an action. */
const stockCommands = readdirSync(
  new URL("../../../node_modules/moleculer-repl/src/commands/", import.meta.url),
)
  .map((file) => file.replace(".js", ""))
  .filter((name) => !["index", "quit", "call"].includes(name));

describeNats("the REPL in a cluster", () => {
  let nats: NatsServer;
  let service: ProgramProcess;
  let repl: ReplProcess;
  /** Nothing here leads to a database. */
  let env: Environment;

  beforeAll(async () => {
    nats = await startNats();
    env = { TRANSPORTER: nats.url, DATA_DIR: "/dev/null/nowhere" };
  }, 30_000);

  afterAll(() => nats.stop());

  test("says that there is nobody, where no node of the program is connected", async () => {
    expect(await runRepl(env, "workspaces list")).toEqual({
      status: 1,
      stdout: "",
      stderr: "TRANSPORTER leads to a NATS server that no node of this program is connected with.\n",
    });
  }, 20_000);

  test("says that a wrong password was refused, without the password", async () => {
    const wrong = nats.url.replace(/:\w+@/, ":guessed@");
    const { status, stdout, stderr } = await runRepl({ ...env, TRANSPORTER: wrong }, "workspaces list");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^The NATS server of TRANSPORTER cannot be reached: .*Authorization Violation.*\.\n$/i,
    );
    expect(stderr).not.toContain("guessed");
  }, 20_000);

  test("finds services that run without a gateway, and says which ones it misses", async () => {
    const start = (SERVICES: string) =>
      startProcess({ env: { TRANSPORTER: nats.url, SERVICES, LOG_LEVEL: "info" }, isReadyAwaited: false });
    const [keys, others] = await Promise.all([start("keys"), start("workspaces,users")]);
    for (const node of [keys, others]) {
      await waitFor(() => node.stdout().includes("Ready after"), { what: "the node", timeoutMs: 20_000 });
    }
    const { status, stdout } = await runRepl(env, "workspaces list", "nodes");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ws_\w+ +\S+Z +Default$/m);
    expect(stdout.match(/ONLINE/g)).toHaveLength(3);
    await keys.stop();
    expect(await runRepl(env, "workspaces list")).toMatchObject({
      status: 1,
      stderr:
        "The nodes that TRANSPORTER leads to do not have all of these services: workspaces, keys, users.\n",
    });
    await others.stop();
  }, 60_000);

  describe("with a running program", () => {
    beforeAll(async () => {
      service = await startProcess({
        env: { TRANSPORTER: nats.url, SECRET_KEY, BOOTSTRAP_API_KEY: BOOTSTRAP_KEY },
      });
      repl = await startRepl(env);
    }, 30_000);

    afterAll(async () => {
      await repl.end();
      await service.stop();
    });

    test("has no service of its own, and calls those of the node", async () => {
      const { stdout, stderr } = await repl.run("workspaces list", "call $node.services --skipInternal");
      expect(stderr).toBe("");
      expect(stdout).toMatch(/^ID +CREATED +NAME\nws_\w+ +\S+Z +Default\n/);
      const services: { name: string; nodeID: string }[] = JSON.parse(stdout.slice(stdout.indexOf("[")));
      expect(services.map(({ name }) => name)).toContain("gateway");
      expect(new Set(services.map(({ nodeID }) => nodeID)).size).toBe(1);
    });

    test("shows no secret in any command of moleculer-repl's, nor in any action of a node", async () => {
      const nodes: { id: string }[] = JSON.parse((await repl.run("call $node.list")).stdout);
      expect(nodes).toHaveLength(2);
      const actions: { name: string }[] = JSON.parse((await repl.run("call $node.actions")).stdout);
      const internal = actions.map(({ name }) => name).filter((name) => name.startsWith("$node."));
      expect(internal).toContain("$node.health");
      expect(internal).not.toContain("$node.options");
      const { stdout, stderr } = await repl.run(
        ...stockCommands.flatMap((name) => [name, `${name} --details`, `${name} --raw`]),
        ...[...internal, "$node.options"].flatMap((name) => [
          `call ${name}`,
          ...nodes.map(({ id }) => `dcall ${id} ${name}`),
        ]),
        "call $node.services --withActions --withEvents",
        "call $node.list --withServices",
      );
      expect(stdout).toContain("TRANSPORTER=set");
      expect(stdout).toMatch(/^transporter +NatsTransporter\nnodes +2 online$/m);
      expect(stderr).toContain("There is no action $node.options here");
      for (const { id } of nodes) expect(stderr).toContain(`There is no action $node.options on node ${id}`);
      const { password } = new URL(nats.url);
      expect(password).not.toBe("");
      for (const secret of [password, SECRET_KEY, BOOTSTRAP_KEY]) {
        expect(stdout + stderr).not.toContain(secret);
      }
    });

    test("writes records whose keys and values are as they were typed", async () => {
      const { stdout, stderr } = await repl.run(
        'call records.create {"name":"007","type":"note","fields":{"b":"1","10":"2","__proto__":"3","\\u0061\\"":"4"}}',
      );
      expect(stderr).toBe("");
      expect(stdout.replace(/\s/g, "")).toContain('"fields":{"b":"1","10":"2","__proto__":"3","a\\"":"4"}');
      const { text } = await request(service, "GET", "/v1/data?q=007");
      expect(text).toContain('"fields":{"b":"1","10":"2","__proto__":"3","a\\"":"4"}');
    });

    test("shows errors with code and details, also of what JavaScript's JSON would let pass", async () => {
      const { stderr } = await repl.run(
        "call records.get --id rec_none",
        "call records.create --name x",
        'call records.create {"name": "\\u0000x", "type": "note"}',
        "call users.create --email admin@localhost --name Again --role viewer",
      );
      expect(stderr.trimEnd().split("\n")).toEqual([
        "not_found: No record with this id.",
        "invalid_request: The request is not valid: type is required.",
        expect.stringMatching(/^invalid_request: .*name must not have U\+0000/),
        expect.stringMatching(/^conflict: .*\[email /),
      ]);
    });

    test("takes back a key, which the service refuses from then on", async () => {
      const listed = await repl.run("users list --role admin");
      const made = await repl.run(`keys create ${cells(listed.stdout)[1]?.[0]}`);
      const [[, keyId] = [], [key = ""] = []] = cells(made.stdout);
      const status = async () => (await request(service, "GET", "/v1/data", { key })).status;
      expect(await status()).toBe(200);
      expect(await repl.run(`keys revoke ${keyId}`)).toMatchObject({ stderr: "" });
      expect(await status()).toBe(401);
    });
  });
});

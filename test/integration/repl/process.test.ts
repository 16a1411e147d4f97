import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { freshSqliteStorage } from "../../support/databases.ts";
import { childEnvironment, type Environment } from "../../support/environment.ts";
import { freePort } from "../../support/ports.ts";
import { type ReplProcess, runRepl, startRepl } from "../../support/repl.ts";
import { cells } from "../../support/table-cells.ts";

const project = fileURLToPath(new URL("../../../", import.meta.url));

const BOOTSTRAP_KEY = "a-key-that-nobody-is-shown";

let dataDir: string;

beforeEach(async () => {
  ({ dataDir } = await freshSqliteStorage());
});

describe("the REPL on an empty database", () => {
  let repl: ReplProcess;

  beforeAll(async () => {
    const storage = await freshSqliteStorage();
    repl = await startRepl({ DATA_DIR: storage.dataDir, BOOTSTRAP_API_KEY: BOOTSTRAP_KEY });
  });

  afterAll(() => repl.end());

  test("makes no workspace unless told to, and then prints its key", async () => {
    expect(await repl.run("workspaces list")).toEqual({ stdout: "", stderr: "There is no workspace.\n" });
    expect((await repl.run("call records.list")).stderr).toBe(
      "There is no workspace yet; `workspaces create` makes one.\n",
    );
    const { stdout } = await repl.run(
      'workspaces create "Acme Inc" --email ada@acme.example',
      "workspaces list",
    );
    const [workspace, , , [key] = [], , listed] = cells(stdout);
    expect(workspace).toEqual(["workspace", expect.stringMatching(/^ws_/), "Acme Inc"]);
    expect(key).toMatch(/^wds_[0-9A-Za-z]{40,}$/);
    expect(listed).toEqual([workspace?.[1], expect.any(String), "Acme Inc"]);
  });

  test("has every service but those of a running program", async () => {
    const { stdout } = await repl.run("call $node.services --skipInternal");
    const services: { name: string }[] = JSON.parse(stdout);
    expect(services.map(({ name }) => name).sort()).toEqual([
      ...["deliveries", "integrations", "keys", "records", "secrets", "users", "webhooks", "workspaces"],
    ]);
  });

  test("shows the settings without the secrets among them", async () => {
    const { stdout } = await repl.run("env");
    expect(stdout).toContain("\nRATE_LIMIT_REQUESTS=6000\n");
    expect(stdout).toContain("\nBOOTSTRAP_API_KEY=set\n");
    expect(stdout).not.toContain(BOOTSTRAP_KEY);
  });

  test("says what is missing and what is too much, and how it is typed", async () => {
    const { stderr } = await repl.run("keys revoke", "keys revoke a b", "call");
    expect(stderr).toBe(
      [
        "The <key id> is missing.\nUsage: keys revoke <key id>\n",
        '"b" is a word too many.\nUsage: keys revoke <key id>\n',
        "The <action> is missing.\nUsage: call <action> [--member <value>]…\n",
      ].join(""),
    );
  });

  test("lists every command as it is typed, ours first, and says how to leave", async () => {
    const { stdout, stderr } = await repl.run("help");
    expect(stderr).toBe("");
    for (const name of ["workspaces", "keys", "users", "integrations", "registrations", "secrets"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} \\w+`, "m"));
    }
    expect(stdout).toMatch(/^Commands\n {2}workspace <workspace id>\n/);
    expect(stdout).toMatch(/^ {2}keys revoke <key id>\n {6}Take a key back/m);
    expect(stdout).toMatch(/^ {2}call <action> \[--member <value>\]…\n/m);
    expect(stdout).toMatch(/^ {2}quit\n {6}Leave/m);
    expect(stdout).toMatch(/\n\n.*moleculer-repl: actions, events, nodes, services\. .*\n$/);
  });

  test.each([
    ["help keys", /^ {2}keys create <user id> \[--name <name>\]\n/m],
    ["users --help", /^ {2}users show <user id> \[--workspace <workspace id>\]\n/m],
    ["registrations -h", /^ {2}registrations list /m],
    ["help call", /call records\.create --name /],
    ["help exit", /^ {2}quit\n/m],
    ["help nodes", /--details/],
    ["services --help", /--details/],
    ["call records.create --help", /^ {2}--name <text> +required\n/m],
    ["help dcall node records.update", /^ {2}--status <text> +one of active, archived, draft\n/m],
  ])("%s says how it is typed", async (line, expected) => {
    const { stdout, stderr } = await repl.run(line);
    expect(stderr).toBe("");
    expect(stdout).toMatch(expected);
  });

  test.each([
    ["help nothing", "There is no command nothing; `help` lists them.\n"],
    ["call no.thing --help", "There is no action no.thing; `actions` lists them.\n"],
  ])("%s finds nothing to say it of", async (line, stderr) => {
    expect(await repl.run(line)).toEqual({ stdout: "", stderr });
  });

  test("looks inside: at its node, services, actions and events", async () => {
    const { stdout, stderr } = await repl.run("info", "nodes", "services", "actions", "events");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^transporter +none\nnodes +1 online\nservices +8 here, 8 on all nodes$/m);
    expect(stdout).toMatch(/ONLINE/);
    expect(stdout).toMatch(/integrations *│/);
    expect(stdout).toMatch(/records\.create *│/);
    expect(stdout).toMatch(/Event *│ Group *│/);
  });

  test("has none of moleculer-repl's commands that load code, stop services or send events", async () => {
    const { stdout, stderr } = await repl.run(
      ...["destroy records", "load ./admin.ts", "loadFolder ./services", "emit keys.changed"],
      ...["broadcast keys.changed", "broadcastLocal keys.changed", "listener list", "cache clear", "clear"],
      ...["bench records.list", "metrics", "help destroy", "load --help", "services"],
    );
    expect(stderr.match(/There is no command \w+; /g)).toHaveLength(13);
    expect(stdout).toMatch(/records *│.*│ *OK *│/);
  });

  test("shows what clients wrote without letting it steer the terminal", async () => {
    const name = JSON.stringify("Red \u001b[31m \u202e").replaceAll("\u202e", "\\u202e");
    const { stdout } = await repl.run(
      `call users.create {"email":"eve@acme.example","role":"viewer","name":${name}}`,
      "users list",
    );
    expect(stdout).toMatch(/^ {2}"name": "Red \\u001b\[31m \\u202e"/m);
    expect(stdout).toMatch(/eve@acme\.example +Red \?\[31m \?$/m);
    expect(stdout).not.toMatch(/\p{Cf}|\p{Cc}(?<!\n)/u);
  });
});

describe("a piped session", () => {
  test.each(["quit", ".exit"])("ends in order at %s, behind the lines before it", async (word) => {
    const repl = await startRepl({ DATA_DIR: dataDir });
    repl.say("workspaces create Acme --email ada@acme.example", "workspaces list", word);
    const { status, stdout, stderr } = await repl.ended();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(cells(stdout)).toHaveLength(6);
    // Where the database was closed, its log is merged into it.
    expect((await readdir(dataDir)).filter((name) => name.endsWith("-wal"))).toEqual([]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("ends in order at %s", async (signal) => {
    const repl = await startRepl({ DATA_DIR: dataDir });
    await repl.run("workspaces create Acme --email ada@acme.example");
    repl.kill(signal);
    expect(await repl.ended()).toMatchObject({ status: 1, stdout: expect.stringContaining("wds_") });
    expect((await readdir(dataDir)).filter((name) => name.endsWith("-wal"))).toEqual([]);
  });

  test("goes on after errors, each of which is one line, and ends with status 1", async () => {
    const { status, stdout, stderr } = await runRepl(
      { DATA_DIR: dataDir },
      "workspaces create Acme --email ada@acme.example",
      "call records.create --name A",
      "call records.create --name A --type note --fields.a 1 --tags x --color red",
      "call records.get --id rec_none",
      "call nothing.here",
      "call records.create A note",
      "nosuch command",
      "say 'hi",
      "keys revoke key_none",
      "call users.create --email ADA@acme.example --name Ada --role viewer",
      "call records.list --per_page 1",
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout.slice(stdout.indexOf("{")))).toMatchObject({ items: [], total: 0 });
    expect(stderr.trimEnd().split("\n")).toEqual([
      "invalid_request: The request is not valid: type is required.",
      "invalid_request: The request is not valid: color is not known here.",
      "not_found: No record with this id.",
      "There is no action nothing.here here; `actions` lists them.",
      expect.stringMatching(/^"A" belongs to no member\. A call is typed: call <action> /),
      "There is no command nosuch; `help` lists them.",
      "A ' is open at the end of the line.",
      "not_found: No key with this id.",
      expect.stringMatching(/^conflict: .*email/),
    ]);
  });
});

test("secrets reseal makes the key before it superfluous", async () => {
  const [before, after] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const start = (env: Environment) => startRepl({ DATA_DIR: dataDir, ...env });
  const connected = await start({ SECRET_KEY: before ?? "" });
  connected.say(
    "workspaces create Acme --email ada@acme.example",
    'call integrations.create --type slack --config.channel "#news" --config.bot_token xoxb-1',
  );
  expect(await connected.end()).toMatchObject({ status: 0, stderr: "" });

  const locked = await start({ SECRET_KEY: after ?? "" });
  const refused = await locked.ended();
  expect(refused).toMatchObject({ status: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^SECRET_KEY .*\n$/);

  const both = await start({ SECRET_KEY: after ?? "", SECRET_KEY_PREVIOUS: before ?? "" });
  both.say("secrets reseal", "secrets reseal");
  const { stdout } = await both.end();
  expect(cells(stdout)).toEqual([
    ...[
      ["resealed", "1"],
      ["unreadable", "0"],
    ],
    ...[
      ["resealed", "0"],
      ["unreadable", "0"],
    ],
  ]);

  const alone = await start({ SECRET_KEY: after ?? "" });
  alone.say("integrations list");
  expect(await alone.end()).toMatchObject({
    status: 0,
    stderr: "",
    stdout: expect.stringContaining("slack"),
  });
}, 30_000);

describe("a start that fails", () => {
  test("says why in one sentence, without secrets", async () => {
    const port = await freePort();
    const cases = [
      [{ DATABASE_URL: "postgres://host/name" }, /^DATABASE_URL must be a URL that begins with mysql/],
      [
        { DATABASE_URL: `mysql://root:hidden@127.0.0.1:${port}/none`, SECRET_KEY: "A".repeat(43) },
        /^The database does not answer: .*ECONNREFUSED/,
      ],
      [{ DATA_DIR: "/dev/null/nowhere" }, /^ENOTDIR: not a directory/],
      [{ TRANSPORTER: "redis://host" }, /^TRANSPORTER must be a URL that begins with nats:/],
      [
        { TRANSPORTER: `nats://tests:hidden@127.0.0.1:${port}` },
        /^The NATS server of TRANSPORTER cannot be reached: CONNECTION_REFUSED\.$/m,
      ],
    ] as const;
    const outcomes = await Promise.all(cases.map(([env]) => runRepl(env, "workspaces list")));
    for (const [place, { status, stdout, stderr }] of outcomes.entries()) {
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(cases[place]?.[1] ?? "");
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).not.toContain("hidden");
    }
  }, 30_000);
});

test("`npm run repl` is it", async () => {
  const env = childEnvironment({ DATA_DIR: dataDir, HOME: dataDir });
  const stdout = await new Promise<string>((resolve, reject) => {
    const child = execFile("npm", ["run", "--silent", "repl"], { cwd: project, env }, (error, printed) =>
      error ? reject(error) : resolve(printed),
    );
    child.stdin?.end("workspaces create Acme --email ada@acme.example\nquit\n");
  });
  expect(cells(stdout)[0]).toEqual(["workspace", expect.stringMatching(/^ws_/), "Acme"]);
});

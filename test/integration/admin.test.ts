import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { hashApiKey } from "../../lib/api-key.ts";
import type { Config } from "../../lib/config.ts";
import { databaseMiddleware } from "../../mixins/database.middleware.ts";
import { firstStartOf } from "../../mixins/first-start.ts";
import { validationMiddleware } from "../../mixins/validation.middleware.ts";
import keysService from "../../services/keys/keys.service.ts";
import workspacesService from "../../services/workspaces/workspaces.service.ts";
import { describeOnBothDatabases, freshSqliteStorage } from "../support/databases.ts";
import { cells } from "../support/table-cells.ts";

type Storage = Config["storage"];

interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

const project = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the command in a process of its own, on the given database. */
function admin({ dataDir, databaseUrl }: Storage, ...words: string[]): Promise<Outcome> {
  return outcomeOf(process.execPath, ["admin.ts", ...words], {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  });
}

function outcomeOf(program: string, words: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd: project, env }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** A running service on the same database, as far as the command concerns it. */
function serviceOn(storage: Storage): ServiceBroker {
  const broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
    middlewares: [databaseMiddleware(storage), validationMiddleware()],
  });
  broker.createService(workspacesService);
  broker.createService(keysService);
  return broker;
}

describeOnBothDatabases("the admin command beside a running service", (_open, freshStorage) => {
  let storage: Storage;
  let service: ServiceBroker;

  const authenticate = (key = "") => service.call("keys.authenticate", { hash: hashApiKey(key) });

  beforeAll(async () => {
    storage = await freshStorage();
    service = serviceOn(storage);
    await service.start();
  });

  afterAll(async () => {
    await service.stop();
  });

  test("makes a workspace whose printed key the service lets in, and lists it", async () => {
    const { status, stdout, stderr } = await admin(
      storage,
      ...["workspaces", "create", "Acme Inc", "--email", "ada@acme.example"],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [workspace, user, key, secret] = cells(stdout);
    expect(workspace).toEqual(["workspace", expect.stringMatching(/^ws_/), "Acme Inc"]);
    expect(user).toEqual(["user", expect.stringMatching(/^usr_/), "ada@acme.example"]);
    expect(key).toEqual(["key", expect.stringMatching(/^key_/), "admin"]);
    expect(secret).toEqual([expect.stringMatching(/^wds_[0-9A-Za-z]{40,}$/)]);
    expect(await authenticate(secret?.[0])).toEqual({
      workspaceId: workspace?.[1],
      userId: user?.[1],
      keyId: key?.[1],
      role: "admin",
    });

    const listed = await admin(storage, "workspaces", "list");
    expect(cells(listed.stdout)).toEqual([
      ["ID", "CREATED", "NAME"],
      [workspace?.[1], expect.stringMatching(/^\d{4}-.*Z$/), "Acme Inc"],
      [firstStartOf(service)?.workspaceId, expect.stringMatching(/^\d{4}-.*Z$/), "Default"],
    ]);
  });

  test("makes, lists and revokes a key, which the service then refuses", async () => {
    const workspaceId = firstStartOf(service)?.workspaceId ?? "";
    const before = await admin(storage, "keys", "list", "--workspace", workspaceId);
    const [, [, , , userId = ""] = []] = cells(before.stdout);

    const made = await admin(storage, "keys", "create", userId, "--name", "Continuous integration");
    const [[word, keyId = "", name] = [], [key = ""] = []] = cells(made.stdout);
    expect([made.status, word, name]).toEqual([0, "key", "Continuous integration"]);
    expect(await authenticate(key)).toMatchObject({ keyId, userId, workspaceId });

    const listed = await admin(storage, "keys", "list", "--workspace", workspaceId);
    expect(cells(listed.stdout)).toHaveLength(3);
    expect(listed.stdout).toContain("Continuous integration");
    expect(listed.stdout).not.toContain(key);

    for (const _time of ["once", "twice"]) {
      const revoked = await admin(storage, "keys", "revoke", keyId);
      expect(revoked).toMatchObject({ status: 0, stderr: "" });
      expect(revoked.stdout).toMatch(new RegExp(`^revoked  ${keyId}  \\d{4}-.*Z\\n$`));
    }
    expect(await authenticate(key)).toBeNull();
    expect((await admin(storage, "keys", "list")).stdout).toMatch(new RegExp(`${keyId}.*Z.*Z`));
  });

  test("works while the service writes and reads, and neither loses anything", async () => {
    const stop = new AbortController();
    const written: string[] = [];
    const writing = (async () => {
      while (!stop.signal.aborted) {
        const params = { name: "Busy", email: "busy@example.com" };
        const made = await service.call<{ workspace: { id: string } }, object>("workspaces.create", params);
        written.push(made.workspace.id);
        await service.call("workspaces.list", {});
      }
    })();
    const made = await Promise.all(
      ["one", "two"].map((name) =>
        admin(storage, "workspaces", "create", name, "--email", "ada@acme.example"),
      ),
    );
    stop.abort();
    await writing;
    expect(made.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array(2).fill({ status: 0, stderr: "" }),
    );
    const listed = new Set(cells((await admin(storage, "workspaces", "list")).stdout).map(([id]) => id));
    const expected = [...written, ...made.map(({ stdout }) => cells(stdout)[0]?.[1])];
    expect(expected.filter((id) => !listed.has(id))).toEqual([]);
  });

  test.each([
    [["keys", "create", "usr_none"], "No user with this id.\n"],
    [["keys", "revoke", "key_none"], "No key with this id.\n"],
    [
      ["workspaces", "create", "Acme", "--email", "ada"],
      "The request is not valid: email must be an email address.\n",
    ],
  ])("refuses %j in one sentence, with status 1", async (words, sentence) => {
    expect(await admin(storage, ...words)).toEqual({ status: 1, stdout: "", stderr: sentence });
  });
});

describe("the admin command on an empty database", () => {
  test("makes the one workspace that it was told to, and a later first start none", async () => {
    const storage = await freshSqliteStorage();
    const made = await admin(storage, "workspaces", "create", "Acme", "--email", "ada@acme.example");
    const listed = await admin(storage, "workspaces", "list");
    expect(cells(listed.stdout).map(([, , name]) => name)).toEqual(["NAME", "Acme"]);

    const service = serviceOn(storage);
    await service.start();
    expect(firstStartOf(service)).toBeUndefined();
    expect(await service.call("workspaces.list", {})).toMatchObject([{ id: cells(made.stdout)[0]?.[1] }]);
    await service.stop();
  });

  test("lists nothing, and says beside it which database has nothing", async () => {
    const storage = await freshSqliteStorage();
    for (const [words, remark] of [
      [["workspaces", "list"], "There is no workspace."],
      [["keys", "list"], "There is no key."],
    ] as const) {
      expect(await admin(storage, ...words)).toEqual({
        status: 0,
        stdout: "",
        stderr: `${remark} (Database: ${storage.dataDir})\n`,
      });
    }
  });
});

describe("the admin command line", () => {
  const nowhere: Storage = { dataDir: "/dev/null/nowhere", databaseUrl: undefined };

  test("without a command prints its help", async () => {
    const { status, stdout, stderr } = await admin(nowhere);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: npm run admin -- <command>\n/);
  });

  test("answers what is no command with the usage and status 2, before it opens anything", async () => {
    const { status, stdout, stderr } = await admin(nowhere, "keys", "destroy", "key_1");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^There is no command like this\.\n\nCommands\n {2}workspaces create /);
  });

  test.each([
    [
      { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/none" },
      /^The database does not answer: .*ECONNREFUSED/,
    ],
    [{ DATABASE_URL: "postgres://host/name" }, /^DATABASE_URL must be a URL that begins with mysql/],
    [{ DATA_DIR: "/dev/null/nowhere" }, /^ENOTDIR: not a directory/],
  ])("says in one line, without secrets, that %j cannot be used", async (env, line) => {
    const words = ["admin.ts", "keys", "list"];
    const { status, stdout, stderr } = await outcomeOf(process.execPath, words, {
      PATH: process.env.PATH,
      ...env,
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("secret");
  });

  test("is what `npm run admin --` runs", async () => {
    const { status, stdout } = await outcomeOf(
      "npm",
      ["run", "--silent", "admin", "--", "--help"],
      process.env,
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: npm run admin -- <command>\n/);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { allSettings } from "../../../lib/config.ts";
import { request } from "../../support/http.ts";
import { startProcess } from "../../support/process.ts";

const KEY = /wds_[0-9A-Za-z]{40,}/g;

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "workspace-data-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe("a start of the program", () => {
  test("the first one shows a key and a command that works; the next one does not", async () => {
    const first = await startProcess({ dataDir });
    const [key, ...repeated] = first.stdout().match(KEY) ?? [];
    // Once on a line of its own, and once within the command.
    expect(new Set(repeated)).toEqual(new Set([key]));
    const curl = /^ *curl -H "Authorization: (\S+ \S+)" http:\/\/127\.0\.0\.1:(\d+)(\/\S+)$/m.exec(
      first.stdout(),
    );
    const [, authorization = "", port, target = ""] = curl ?? [];
    const answer = await request({ port: Number(port), key: "" }, "GET", target, {
      headers: { Authorization: authorization },
    });
    expect([answer.status, answer.body.data]).toEqual([200, []]);
    expect(first.stdout()).toMatch(/gateway: API Gateway listening on http:\/\/127\.0\.0\.1:\d+\n/);
    for (const { env } of allSettings()) expect(first.stdout()).toContain(` ${env}=`);
    expect(first.stdout().split("\n").length).toBeLessThan(20);
    expect(await first.stop()).toBe(0);
    expect(first.stderr()).toBe("");

    const second = await startProcess({ dataDir });
    expect(second.stdout()).not.toMatch(KEY);
    expect(second.stdout()).not.toContain("curl");
    expect((await request({ ...second, key: first.key }, "GET", "/v1/data")).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  test("a key that the operator chose is not shown", async () => {
    const chosen = "the-operator's-own-key-1";
    const program = await startProcess({ env: { BOOTSTRAP_API_KEY: chosen } });
    expect(program.stdout()).not.toContain(chosen);
    expect(program.stdout()).toContain("BOOTSTRAP_API_KEY=set");
    expect(program.stdout()).toMatch(
      /curl -H "Authorization: Bearer \$BOOTSTRAP_API_KEY" http:\S+\/v1\/data\n/,
    );
    expect((await request(program, "GET", "/v1/data")).status).toBe(200);
    expect(await program.stop()).toBe(0);
    expect(program.stdout() + program.stderr()).not.toContain(chosen);
  });

  test("a quiet log shows the key all the same, and nothing else", async () => {
    const program = await startProcess({ env: { LOG_LEVEL: "error", PUBLIC_URL: "https://data.example" } });
    expect(await program.stop()).toBe(0);
    expect(program.stdout()).toMatch(/^\n {2}The workspace ws_\w+ is ready\.\n/);
    expect(program.stdout()).toContain(" https://data.example/v1/data\n");
    expect(program.stdout()).not.toContain("INFO");
    expect(program.stderr()).toBe("");
  });
});

describe("a start that cannot be", () => {
  const failing = async (env: Record<string, string>) => {
    const program = await startProcess({ env, isReadyAwaited: false });
    const code = await program.exited;
    await program.stop();
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  };

  test("a setting that cannot be used is named in one sentence", async () => {
    const { code, stdout, stderr } = await failing({ RATE_LIMIT_REQUESTS: "many" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("RATE_LIMIT_REQUESTS must be a whole number from 0 to 1000000000.\n");
  });

  test("a port in use is named in one sentence, and the first key is not lost", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { code, stdout, stderr } = await failing({ PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(KEY);
    expect(stderr).toMatch(
      new RegExp(
        `^\\S+ FATAL broker: The gateway cannot listen: 127\\.0\\.0\\.1:${port} is in use: .+\\.\\n$`,
      ),
    );
  });

  test("a folder that cannot be made is named in one sentence", async () => {
    const file = path.join(dataDir, "file");
    await writeFile(file, "");
    const { code, stderr } = await failing({ DATA_DIR: path.join(file, "data") });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S+ FATAL program: The start failed: ENOTDIR: .+\n$/);
  });

  test("a database server that does not answer is named in one sentence, without its password", async () => {
    const { code, stdout, stderr } = await failing({ DATABASE_URL: "mysql://me:hush@127.0.0.1:1/data" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S+ FATAL program: The start failed: The database does not answer: .+\n$/);
    expect(stdout + stderr).not.toContain("hush");
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startGatewayStub } from "../../support/gateway-stub.ts";
import { type HttpAnswer, request } from "../../support/http.ts";
import { type ProgramProcess, startProcess } from "../../support/process.ts";
import { openRaw, type RawConnection, rawRequest } from "../../support/raw-http.ts";
import { waitFor } from "../../support/wait-for.ts";

const BODY = '{"name":"in flight","type":"t"}';
/** Far longer than a test may take: what ends before it did not wait for it. */
const NEVER_MS = "600000";

/** Whether nothing listens on the port any more. */
function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}

const untilRefused = (port: number) => waitFor(() => isRefused(port), { what: "the port to be closed" });

/** A request of which the server has read the head, and waits for the body. */
async function halfSent({ port, key }: ProgramProcess): Promise<RawConnection> {
  const connection = await openRaw(port);
  connection.socket.write(
    rawRequest("POST /v1/data", [
      `Authorization: Bearer ${key}`,
      "Content-Type: application/json",
      `Content-Length: ${BODY.length}`,
      "Expect: 100-continue",
    ]),
  );
  await connection.until("100 Continue");
  return connection;
}

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "workspace-data-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe("a stop of the program", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s: what is in flight is finished, what is idle is closed, then it ends",
    async (signal) => {
      const program = await startProcess({ env: { SHUTDOWN_TIMEOUT_MS: NEVER_MS } });
      const inFlight = await halfSent(program);
      const silent = await openRaw(program.port);
      const idle = await openRaw(program.port);
      idle.socket.write(rawRequest("GET /livez"));
      await idle.until("200 OK");

      program.child.kill(signal);
      await untilRefused(program.port);
      await Promise.all([silent.untilClosed(), idle.untilClosed()]);
      expect(inFlight.isClosed()).toBe(false);
      inFlight.socket.write(BODY);
      const answer = await inFlight.untilClosed();
      expect(answer).toMatch(/HTTP\/1\.1 201 Created\r\n/);
      expect(answer).toContain("\r\nConnection: close\r\n");
      expect(await program.exited).toBe(0);
      expect(program.stderr()).toBe("");
      await program.stop();
    },
  );

  test("under load every request that was taken in has its real answer", async () => {
    const env = { SHUTDOWN_TIMEOUT_MS: NEVER_MS, RATE_LIMIT_REQUESTS: "0" };
    const program = await startProcess({ env, dataDir });
    const agent = new Agent({ keepAlive: true });
    const created: string[] = [];
    const unexpected: unknown[] = [];
    const note = ({ status, body, text }: HttpAnswer<{ id: string }>) => {
      if (status === 201) created.push(body.data.id);
      else unexpected.push([status, text]);
    };
    const client = async () => {
      for (let code: unknown; code !== "ECONNREFUSED"; ) {
        const body = { name: "under load", type: "t" };
        const sent = request<{ id: string }>(program, "POST", "/v1/data", { body, agent });
        code = await sent.then(note, codeOf);
        // Closed between two requests, where this process was slow to send the next: nobody took that in.
        if (code !== undefined && code !== "ECONNREFUSED" && code !== "ECONNRESET") unexpected.push(code);
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await waitFor(() => created.length >= 200, { what: "some load", timeoutMs: 20_000 });
    program.child.kill("SIGTERM");
    await Promise.all(clients);
    agent.destroy();
    expect(await program.exited).toBe(0);
    expect(unexpected).toEqual([]);

    const again = await startProcess({ env, dataDir });
    try {
      // The admin's key is the same: the database has it.
      const kept = await allIds({ ...again, key: program.key });
      expect(kept.sort()).toEqual(created.sort());
    } finally {
      await again.stop();
    }
  });

  test("when the time is up, the rest is cut off", async () => {
    const program = await startProcess({ env: { SHUTDOWN_TIMEOUT_MS: "100" } });
    const inFlight = await halfSent(program);
    expect(await program.stop()).toBe(0);
    expect(await inFlight.untilClosed()).not.toContain("201");
    expect(program.stderr()).toMatch(
      /WARN {2}gateway: Requests that took longer than 100 ms .+ cut off\.\n$/,
    );
  });

  test("a signal that comes twice at once, as Ctrl-C under npm does, is one", async () => {
    const program = await startProcess();
    const inFlight = await halfSent(program);
    program.child.kill("SIGINT");
    program.child.kill("SIGTERM");
    await untilRefused(program.port);
    inFlight.socket.write(BODY);
    expect(await inFlight.untilClosed()).toContain("201 Created");
    expect(await program.exited).toBe(0);
  });

  test("a later signal ends it at once", async () => {
    const program = await startProcess({ env: { SHUTDOWN_TIMEOUT_MS: NEVER_MS } });
    const inFlight = await halfSent(program);
    const hasEnded = () => {
      program.child.kill("SIGTERM");
      return program.child.exitCode !== null;
    };
    await waitFor(hasEnded, { what: "the program to end" });
    expect(await program.exited).toBe(1);
    await inFlight.untilClosed();
  });
});

/** The system's word for what went wrong, or else the error. */
function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : error;
}

async function allIds(target: { port: number; key: string }): Promise<string[]> {
  const ids: string[] = [];
  let cursor: unknown = "";
  while (typeof cursor === "string") {
    const query = new URLSearchParams({ per_page: "100", ...(cursor && { cursor }) });
    const page = await request<{ id: string }[]>(target, "GET", `/v1/data?${query}`);
    ids.push(...page.body.data.map(({ id }) => id));
    cursor = page.body.meta.next_cursor;
  }
  return ids;
}

describe("while it stops", () => {
  test("it is alive but not ready, and requests on one connection are all answered", async () => {
    const stub = await startGatewayStub();
    const gate = Promise.withResolvers<void>();
    stub.respond = async () => {
      await gate.promise;
      return { id: "rec_1" };
    };
    const connection = await openRaw(stub.app.port);
    const lines = [`Authorization: Bearer ${stub.app.key}`];
    connection.socket.write(rawRequest("GET /v1/data/rec_1", lines));
    await waitFor(() => stub.calls.length === 1, { what: "the request to be in the action" });
    const stopped = stub.app.stop();
    await untilRefused(stub.app.port);
    connection.socket.write(rawRequest("GET /livez") + rawRequest("GET /readyz"));
    connection.socket.write(rawRequest("GET /v1/data/rec_2", lines));
    await waitFor(() => stub.calls.length === 2, { what: "the last request to be in the action" });
    gate.resolve();
    const answers = await connection.untilClosed();
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
      "HTTP/1.1 503",
      "HTTP/1.1 200",
    ]);
    expect(answers.match(/Connection: close/g)).toHaveLength(1);
    expect(answers).toMatch(/Retry-After: 1\r\n/);
    await stopped;
  });
});

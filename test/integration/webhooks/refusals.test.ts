import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import { type App, startApp } from "../../support/app.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { request } from "../../support/http.ts";
import { issueCertificate, trustTestAuthority } from "../../support/test-authority.ts";
import {
  closeAtOnce,
  dripBody,
  dripHeaders,
  huge,
  never,
  type ReceiverAnswer,
  type ReceiverOptions,
  raw,
  redirect,
  startReceiver,
  status,
} from "../../support/tls-receiver.ts";

const HOUR_MS = 3_600_000;
const here = "127.0.0.1, ::1";

/** Programs that differ in what they allow an address. */
const environments = {
  /** What never comes is not waited for long. */
  hasty: { WEBHOOK_ALLOWED_NETWORKS: here, WEBHOOK_TIMEOUT_MS: "1000" },
  /** A busy host is not taken for a slow receiver: a validation is never given longer. */
  patient: { WEBHOOK_ALLOWED_NETWORKS: here, WEBHOOK_TIMEOUT_MS: "12000" },
  /** As the program is unless it is told otherwise. */
  usual: {},
} as const;

const apps = new Map<keyof typeof environments, App>();
let undoTrust: () => void;

beforeAll(async () => {
  undoTrust = await trustTestAuthority();
  for (const name of ["hasty", "patient", "usual"] as const) {
    apps.set(name, await startApp({ env: environments[name] }));
  }
});

afterAll(async () => {
  for (const app of apps.values()) await app.stop();
  undoTrust?.();
});

/** Asks for a registration that is to be refused, and checks that it is told why and that nothing is left of it. */
async function expectRefused(
  by: keyof typeof environments,
  url: string,
  why: string | RegExp,
): Promise<void> {
  const app = apps.get(by);
  if (!app) throw new Error(`The program ${by} did not start.`);
  const logged = app.log.length;
  const startedMs = performance.now();
  const body = { url, events: ["*"], secret: "s3cret" };
  const answer = await request(app, "POST", "/v1/webhooks", { body });
  expect(performance.now() - startedMs).toBeLessThan(6_000);
  expectRefusal(answer, 422, "unprocessable");
  const [{ path, message } = { path: "", message: "" }, ...others] = answer.body.error.details ?? [];
  expect([path, others]).toEqual(["url", []]);
  expect(message).toMatch(/^cannot be used: /);
  const told = message.slice("cannot be used: ".length);
  if (typeof why === "string") expect(told).toBe(why);
  else expect(told).toMatch(why);
  expect(answer.body.error.message).toBe(`The request is not valid: url ${message}.`);
  const { read } = databaseOf(app.broker);
  for (const table of ["webhooks", "webhook_counts", "events"]) {
    expect({ table, rows: await read.query(`SELECT * FROM ${table}`) }).toEqual({ table, rows: [] });
  }
  expect(app.log.slice(logged)).toEqual([]);
}

describe("a registration is refused with 422 where the address", () => {
  test.each<[string, ReceiverAnswer, string]>([
    ["answers 404", status(404), "it answered with status 404 instead of 2xx"],
    ["answers 410", status(410), "it answered with status 410 instead of 2xx"],
    ["answers 500", status(500, {}, "inner details"), "it answered with status 500 instead of 2xx"],
    ["is elsewhere", redirect("/"), "it answered with a redirect (status 307), which is not followed"],
    [
      "is elsewhere now",
      redirect("/", 301),
      "it answered with a redirect (status 301), which is not followed",
    ],
    ["answers 304", status(304), "it answered with a redirect (status 304), which is not followed"],
    ["answers with 64 KiB and a byte", huge(65_537), "its answer has more than 64 KiB"],
    ["answers with 100 MiB", huge(104_857_600), "its answer has more than 64 KiB"],
    ["closes the connection", closeAtOnce, "it closed the connection without an answer"],
    ["speaks something else", raw("220 mail.example ESMTP\r\n"), "its answer is not valid HTTP"],
  ])("%s", async (_, answer, why) => {
    const receiver = await startReceiver({ answer });
    try {
      await expectRefused("patient", receiver.url(), why);
      expect(receiver.requests).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  test("takes the connection or the request and is silent, or drips headers or body", async () => {
    const rows: [ReceiverOptions, string][] = [
      [{ greeting: "accept" }, "its TLS handshake did not end within 1 second"],
      [{ answer: never }, "it did not answer within 1 second"],
      [{ answer: dripHeaders() }, "it did not answer within 1 second"],
      [{ answer: dripBody() }, "its answer did not end within 1 second"],
    ];
    // Side by side, since each of them takes its second.
    await Promise.all(
      rows.map(async ([options, why]) => {
        const receiver = await startReceiver(options);
        await expectRefused("hasty", receiver.url(), why).finally(receiver.stop);
        expect(receiver.connectionCount()).toBe(1);
      }),
    );
  });

  test("has a certificate that nobody vouches for, is expired, to come or another's", async () => {
    const hourAgo = new Date(Date.now() - HOUR_MS);
    const inAnHour = new Date(Date.now() + HOUR_MS);
    const rows = [
      [{ isSelfSigned: true }, "its certificate is not trusted (self-signed)"],
      [{ validFrom: new Date(0), validTo: hourAgo }, "its certificate has expired"],
      [{ validFrom: inAnHour }, "its certificate is not valid yet"],
      [{ names: ["other.test"] }, "its certificate is for another name"],
    ] as const;
    for (const [options, why] of rows) {
      const receiver = await startReceiver({ certificate: await issueCertificate(options) });
      await expectRefused("patient", receiver.url(), why).finally(receiver.stop);
      expect(receiver.requests).toEqual([]);
    }
  });

  test("has nobody who listens", async () => {
    const receiver = await startReceiver();
    await receiver.stop();
    await expectRefused("patient", receiver.url(), "it refused the connection");
  });

  test("has a name that is not resolved", async () => {
    // Where there is no DNS at all, it is silence.
    const why = /^its name (?:could not be resolved|was not resolved within 5 seconds)$/;
    await expectRefused("patient", "https://nowhere.invalid/hook", why);
  });

  test.each([
    "https://127.0.0.1/",
    "https://localhost/",
    "https://hooks.localhost/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://10.1.2.3:8443/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
    "https://[64:ff9b::a00:1]/",
  ])("is in a private network: %s", async (url) => {
    await expectRefused("usual", url, "it leads to an address that may not be reached");
  });

  test("is private and not among the networks that are allowed", async () => {
    await expectRefused("patient", "https://10.0.0.1/", "it leads to an address that may not be reached");
  });

  test("is silent for five seconds, however long deliveries may take", async () => {
    const receiver = await startReceiver({ answer: never });
    await expectRefused("patient", receiver.url(), "it did not answer within 5 seconds").finally(
      receiver.stop,
    );
  });
});

describe("a program that allows no private network", () => {
  test("never connects to a receiver in one", async () => {
    const receiver = await startReceiver();
    for (const host of ["localhost", "127.0.0.1", "127.1", "[::ffff:127.0.0.1]"]) {
      await expectRefused("usual", receiver.url("/", host), "it leads to an address that may not be reached");
    }
    expect(receiver.connectionCount()).toBe(0);
    await receiver.stop();
  });
});

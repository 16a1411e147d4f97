import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { issueCertificate, trustTestAuthority } from "../../../support/test-authority.ts";
import { startReceiver } from "../../../support/tls-receiver.ts";
import { failureOf, newClient, postTo } from "./support/client.ts";

const ends: (() => unknown)[] = [];
let undoTrust: () => void;

beforeAll(async () => {
  undoTrust = await trustTestAuthority();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => undoTrust());

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

const faults = [
  {
    when: "vouches for itself",
    certificate: { isSelfSigned: true },
    message: "its certificate is not trusted (self-signed)",
  },
  {
    when: "has expired",
    certificate: { validFrom: hoursFromNow(-2), validTo: hoursFromNow(-1) },
    message: "its certificate has expired",
  },
  {
    when: "is not valid yet",
    certificate: { validFrom: hoursFromNow(1), validTo: hoursFromNow(2) },
    message: "its certificate is not valid yet",
  },
  {
    when: "is for another name",
    certificate: { names: ["elsewhere.test"] },
    message: "its certificate is for another name",
  },
] as const;

describe("a certificate", () => {
  test.each(["receiver.test", "127.0.0.1"])("is judged by the name %s that was asked for", async (host) => {
    const receiver = await startReceiver();
    const client = newClient({ resolve: async () => ["127.0.0.1"] });
    ends.push(receiver.stop, () => client.close());
    expect(await client.post(postTo(receiver.url("/", host)))).toMatchObject({ statusCode: 200 });
  });

  test.each(["localhost", "127.0.0.1"])(
    "for the name alone does not do for %s in its place",
    async (host) => {
      const other = host === "localhost" ? "127.0.0.1" : "localhost";
      const receiver = await startReceiver({ certificate: await issueCertificate({ names: [other] }) });
      const client = newClient();
      ends.push(receiver.stop, () => client.close());
      expect(await failureOf(client.post(postTo(receiver.url("/", host))))).toMatchObject({
        reason: "tls",
        message: "its certificate is for another name",
      });
    },
  );

  test.each(faults)("that $when is refused before anything is sent", async ({ certificate, message }) => {
    const receiver = await startReceiver({ certificate: await issueCertificate(certificate) });
    const client = newClient();
    ends.push(receiver.stop, () => client.close());
    expect(await failureOf(client.post(postTo(receiver.url())))).toMatchObject({ reason: "tls", message });
    expect(receiver.requests).toEqual([]);
  });

  test("of an authority that nobody trusts is refused", async () => {
    undoTrust();
    try {
      const receiver = await startReceiver();
      const client = newClient();
      ends.push(receiver.stop, () => client.close());
      const failure = await failureOf(client.post(postTo(receiver.url())));
      expect([failure.reason, failure.message]).toEqual([
        "tls",
        "its certificate is not trusted (its issuer is not known, or the certificate between is missing)",
      ]);
    } finally {
      undoTrust = await trustTestAuthority();
    }
  });
});

test("a receiver that closes before the handshake is told as such", async () => {
  const receiver = await startReceiver({ greeting: "close" });
  const client = newClient({ allowed: "127.0.0.1" });
  ends.push(receiver.stop, () => client.close());
  expect(await failureOf(client.post(postTo(receiver.url())))).toMatchObject({
    reason: "tls",
    message: "it closed the connection during the TLS handshake",
  });
});

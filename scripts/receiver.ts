/**
 * A receiver for webhooks on this computer: answers every POST with 200 and prints what came. It has a
 * certificate of its own, made at the first run, which the service is told to trust.
 *
 * Usage: npm run receiver -- [--port 4443] [--secret SECRET] [--folder .receiver]
 */
import { createHmac, timingSafeEqual, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { generate } from "selfsigned";

const CERTIFICATE_DAYS = 365;
const DAY_MS = 86_400_000;
const shownHeaders = ["x-service-event", "x-service-delivery", "x-service-attempt", "x-service-signature"];

/** Whether the signature is that of these bytes under the secret; compared in constant time. */
export function isSignedWith(secret: string, body: Uint8Array, signature: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** What is printed of a request, line by line. */
export function describeRequest(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string | undefined,
): string[] {
  const lines = shownHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`  ${name}: ${value}`];
  });
  const signature = headers["x-service-signature"];
  const verdict = secret === undefined ? [] : [`  signature: ${verdictOn(secret, body, signature)}`];
  return [`POST ${url}`, ...lines, ...verdict, body.toString()];
}

function verdictOn(secret: string, body: Buffer, signature: string | string[] | undefined): string {
  if (typeof signature !== "string") return "missing";
  return isSignedWith(secret, body, signature) ? "right" : "WRONG";
}

async function certificateIn(folder: string): Promise<{ key: Buffer; cert: Buffer; file: string }> {
  const file = path.join(folder, "certificate.pem");
  const keyFile = path.join(folder, "key.pem");
  if (!isValid(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = await generate([{ name: "commonName", value: "localhost" }], {
      keyType: "ec",
      algorithm: "sha256",
      notAfterDate: new Date(Date.now() + CERTIFICATE_DAYS * DAY_MS),
      extensions: [
        { name: "basicConstraints", cA: true },
        {
          name: "subjectAltName",
          altNames: [
            { type: 2, value: "localhost" },
            { type: 7, ip: "127.0.0.1" },
          ],
        },
      ],
    });
    writeFileSync(keyFile, made.private, { mode: 0o600 });
    writeFileSync(file, made.cert);
  }
  return { key: readFileSync(keyFile), cert: readFileSync(file), file };
}

function isValid(file: string): boolean {
  return (
    existsSync(file) && new X509Certificate(readFileSync(file)).validToDate.getTime() > Date.now() + DAY_MS
  );
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4443" },
      secret: { type: "string" },
      folder: { type: "string", default: ".receiver" },
    },
  });
  const { key, cert, file } = await certificateIn(values.folder);
  const server = createServer({ key, cert }, async (request, response) => {
    try {
      const body = await buffer(request);
      const lines = describeRequest(request.url ?? "", request.headers, body, values.secret);
      console.log(`${lines.join("\n")}\n`);
      response.end("ok\n");
    } catch (error) {
      console.error(`A request broke off: ${error}`);
    }
  });
  server.listen(Number(values.port), "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : values.port;
    console.log(`Receiving at https://localhost:${port}/ until Ctrl-C. Start the service with

  NODE_EXTRA_CA_CERTS=${file} WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8,::1/128 npm start
`);
  });
}

if (import.meta.main) await run();

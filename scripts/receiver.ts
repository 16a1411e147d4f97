/**
 * A receiver for webhooks on this computer: prints what comes and answers 200, or 401 to what is not signed as
 * it should be. It has a certificate of its own, made at the first run, which the service is told to trust.
 *
 * Usage: npm run receiver -- [--port 4443] [--secret SECRET] [--folder .receiver]
 */
import { createHmac, timingSafeEqual, X509Certificate } from "node:crypto";
import { once } from "node:events";
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

/** Something typed, or a port, that cannot be used: one sentence. */
class UsageError extends Error {}

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
  const verdict = secret === undefined ? [] : [`  signature: ${verdictOn(secret, body, headers)}`];
  return [`POST ${url}`, ...lines, ...verdict, body.toString()];
}

/** Without a secret there is nothing to judge. */
function verdictOn(
  secret: string | undefined,
  body: Buffer,
  headers: IncomingHttpHeaders,
): "right" | "missing" | "WRONG" {
  if (secret === undefined) return "right";
  const signature = headers["x-service-signature"];
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

const USAGE = "Usage: npm run receiver -- [--port 4443] [--secret SECRET] [--folder .receiver]";

function readOptions(words: string[]) {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        port: { type: "string", default: "4443" },
        secret: { type: "string" },
        folder: { type: "string", default: ".receiver" },
        help: { type: "boolean", default: false },
      },
    });
    if (!/^\d{1,5}$/.test(values.port)) throw new UsageError("--port takes a number.");
    return values;
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function run(words: string[]): Promise<void> {
  const { port, secret, folder, help } = readOptions(words);
  if (help) return console.log(USAGE);
  const { key, cert, file } = await certificateIn(folder);
  const server = createServer({ key, cert }, async (request, response) => {
    try {
      const body = await buffer(request);
      console.log(`${describeRequest(request.url ?? "", request.headers, body, secret).join("\n")}\n`);
      response.statusCode = verdictOn(secret, body, request.headers) === "right" ? 200 : 401;
      response.end();
    } catch (error) {
      console.error(`A request broke off: ${error}`);
    }
  });
  server.listen(Number(port), "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  console.log(`Receiving at https://localhost:${bound}/ until Ctrl-C. Start the service with

  NODE_EXTRA_CA_CERTS=${file} WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8,::1/128 npm start
`);
}

if (import.meta.main) {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n${USAGE}` : String(error));
    process.exitCode = 1;
  }
}

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type MariaDbServer, startOwnMariaDb } from "./mariadb-server.ts";

/**
 * Jest loads every test file's modules anew, and files run in several processes, so what they share lives in
 * jest's own process: there a listener lends databases of one server, which the first question starts. A run
 * that asks for none starts none.
 */
const PORT_VARIABLE = "MARIADB_LENDER_PORT";

let lender: Server | undefined;
let starting: Promise<MariaDbServer> | undefined;

/** Opens the lender in this process and tells its port to the processes that this one starts. */
export async function openLender(): Promise<void> {
  lender = createServer({ allowHalfOpen: true }, (socket) => void lend(socket)).listen(0, "127.0.0.1");
  await once(lender, "listening");
  lender.unref();
  const address = lender.address();
  if (address === null || typeof address === "string") throw new Error("The lender has no TCP port.");
  process.env[PORT_VARIABLE] = String(address.port);
}

/** Closes the lender and stops its server, if one was started. */
export async function closeLender(): Promise<void> {
  delete process.env[PORT_VARIABLE];
  lender?.close();
  const server = await starting?.catch(() => undefined);
  starting = undefined;
  await server?.stop();
}

/** Whether this process was started with a lender at hand. */
export function hasLender(): boolean {
  return process.env[PORT_VARIABLE] !== undefined;
}

/**
 * Asks the lender for a new, empty database. Returns its mysql:// URL.
 *
 * @throws Error if the server did not start or did not make the database.
 */
export async function borrowDatabase(): Promise<string> {
  const answer: Answer = JSON.parse(await text(connect(Number(process.env[PORT_VARIABLE]), "127.0.0.1")));
  if ("error" in answer) throw new Error(answer.error);
  return answer.url;
}

type Answer = { url: string } | { error: string };

async function lend(socket: Socket): Promise<void> {
  socket.on("error", () => socket.destroy());
  socket.end(JSON.stringify(await newDatabase()));
}

async function newDatabase(): Promise<Answer> {
  try {
    starting ??= startOwnMariaDb();
    return { url: await (await starting).createDatabase() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

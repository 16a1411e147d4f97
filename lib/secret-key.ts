import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { SettingError, secretKey } from "./setting.ts";

const FILE_NAME = "secret.key";
const KEY_BYTES = 32;

/**
 * The key that seals stored secrets: SECRET_KEY, the content of SECRET_KEY_FILE, or on SQLite the one in
 * DATA_DIR.
 * @param isNew whether nothing was sealed in the database yet: then a key is made in DATA_DIR where there is none
 * @returns 32 bytes
 * @throws ConfigError
 */
export async function findSecretKey(
  { secretKey: given, secretKeyFile }: Config["secrets"],
  { databaseUrl, dataDir }: Config["storage"],
  isNew: boolean,
): Promise<Buffer> {
  if (given && secretKeyFile !== undefined) {
    throw new ConfigError("SECRET_KEY and SECRET_KEY_FILE are both set: which of them counts?");
  }
  if (given) return given;
  if (secretKeyFile !== undefined) {
    return (
      (await readKeyFile(secretKeyFile)) ??
      missing(`SECRET_KEY_FILE names ${secretKeyFile}, which is not there.`)
    );
  }
  if (databaseUrl !== undefined) {
    throw new ConfigError(
      "SECRET_KEY is required with DATABASE_URL, the same on every node: `openssl rand -base64 32` prints one.",
    );
  }
  return await keyOfDataDir(dataDir, isNew);
}

async function keyOfDataDir(dataDir: string, isNew: boolean): Promise<Buffer> {
  const file = path.join(dataDir, FILE_NAME);
  const found = await readKeyFile(file);
  if (found) return found;
  if (!isNew) {
    // Another key would open nothing, and whoever then brought the right one back would find the place taken.
    missing(
      `${file} is not there, and with it the key of the secrets in this database: bring it back, or set SECRET_KEY.`,
    );
  }
  await makeKeyFile(file);
  // Of several processes that make one at once another may have been the first.
  return (await readKeyFile(file)) ?? missing(`${file} vanished while it was made.`);
}

function missing(message: string): never {
  throw new ConfigError(message);
}

/** The key in the file, or undefined where there is no file. */
async function readKeyFile(file: string): Promise<Buffer | undefined> {
  try {
    return secretKey(await readFile(file, "utf8"));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    if (code !== "") throw new ConfigError(`The key in ${file} cannot be read: ${code}.`);
    if (error instanceof SettingError) throw new ConfigError(`The key in ${file} ${error.message}.`);
    throw error;
  }
}

/** Whoever makes one first wins, and nobody sees a file that is half written. */
async function makeKeyFile(file: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString("base64")}\n`);
    // What it sealed would be lost with it.
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
  await syncFolder(folder);
}

/** Makes the names in a folder outlive a loss of power; Windows does so by itself and refuses to be asked. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** The system's name of an error; empty where it is not the system's. */
function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { SettingError, secretKey } from "./setting.ts";

const FILE_NAME = "secret.key";
const KEY_BYTES = 32;

/**
 * The key that seals stored secrets: SECRET_KEY, the content of SECRET_KEY_FILE, or on SQLite the one in
 * DATA_DIR, which is made where there is none.
 * @returns 32 bytes
 * @throws ConfigError
 */
export async function findSecretKey(
  { secretKey: given, secretKeyFile }: Config["secrets"],
  { databaseUrl, dataDir }: Config["storage"],
): Promise<Buffer> {
  if (given && secretKeyFile !== undefined) {
    throw new ConfigError("SECRET_KEY and SECRET_KEY_FILE are both set: which of them counts?");
  }
  if (given) return given;
  if (secretKeyFile !== undefined) return await readKeyFile(secretKeyFile, "SECRET_KEY_FILE");
  if (databaseUrl !== undefined) {
    throw new ConfigError(
      "SECRET_KEY is required with DATABASE_URL, the same on every node: `openssl rand -base64 32` prints one.",
    );
  }
  const file = path.join(dataDir, FILE_NAME);
  if (!(await exists(file))) await makeKeyFile(file);
  return await readKeyFile(file, `The key in ${file}`);
}

async function readKeyFile(file: string, name: string): Promise<Buffer> {
  try {
    return secretKey(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof SettingError) throw new ConfigError(`${name} ${error.message}.`);
    if (error instanceof Error) throw new ConfigError(`${name} cannot be read: ${error.message}.`);
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await (await open(file)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Of several processes that make one at once the first wins, and nobody sees a file that is half written. */
async function makeKeyFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString("base64")}\n`);
    // What it sealed would be lost with it.
    await handle.sync();
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

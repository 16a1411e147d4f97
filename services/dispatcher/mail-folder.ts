import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Keeps a message as a file that appears whole or not at all, and replaces one of the same name.
 * @param folder is made where it is missing; it and the file are its owner's alone
 */
export async function writeMail(folder: string, name: string, message: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const draft = path.join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeDurably(draft, message);
    await rename(draft, path.join(folder, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDurably(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, "wx", FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

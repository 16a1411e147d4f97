import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Config, ConfigError } from "../../../lib/config.ts";
import { findSecretKey } from "../../../lib/secret-key.ts";

const folders: string[] = [];
let dataDir: string;
let keyFile: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "secret-key-"));
  folders.push(dataDir);
  keyFile = path.join(dataDir, "secret.key");
});

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const given = randomBytes(32);
const noSecrets: Config["secrets"] = {
  secretKey: undefined,
  secretKeyFile: undefined,
  secretKeyPrevious: undefined,
};
const find = (secrets: Partial<Config["secrets"]>, isNew = true, databaseUrl?: string) =>
  findSecretKey({ ...noSecrets, ...secrets }, { dataDir, databaseUrl }, isNew);

describe("the secret key", () => {
  test("is SECRET_KEY where it is set, and nothing is made", async () => {
    expect(await find({ secretKey: given })).toEqual(given);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("is what SECRET_KEY_FILE holds, with or without a line feed", async () => {
    const secretKeyFile = path.join(dataDir, "mounted");
    for (const end of ["", "\n", "\r\n"]) {
      await writeFile(secretKeyFile, given.toString("base64") + end);
      expect(await find({ secretKeyFile }, false, "mysql://u@h/d")).toEqual(given);
    }
  });

  test("is refused in two places", async () => {
    const both = find({ secretKey: given, secretKeyFile: keyFile });
    await expect(both).rejects.toThrow("SECRET_KEY and SECRET_KEY_FILE are both set");
  });

  test("is required with DATABASE_URL: a node's own would open nothing of another's", async () => {
    const none = find({}, true, "mysql://user@host/name");
    await expect(none).rejects.toThrow(ConfigError);
    await expect(none).rejects.toThrow("SECRET_KEY is required with DATABASE_URL");
    expect(await readdir(dataDir)).toEqual([]);
  });

  test.each(["", "short", randomBytes(31).toString("base64"), "*".repeat(43)])(
    "is not %p in a file",
    async (content) => {
      await writeFile(keyFile, content);
      const error = await find({}).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigError);
      expect(error).toMatchObject({
        message: expect.stringContaining(`The key in ${keyFile} must be 32 bytes`),
      });
      expect(await readFile(keyFile, "utf8")).toBe(content);
    },
  );

  test("is never shown by the error", async () => {
    await writeFile(keyFile, `${given.toString("base64")}x`);
    await expect(find({})).rejects.not.toThrow(given.toString("base64"));
  });

  test("that cannot be read is a setting at fault, and so is a file that is not there", async () => {
    await expect(find({ secretKeyFile: dataDir })).rejects.toThrow(`The key in ${dataDir} cannot be read`);
    await expect(find({ secretKeyFile: keyFile })).rejects.toThrow(ConfigError);
    await expect(find({ secretKeyFile: keyFile })).rejects.toThrow(
      `SECRET_KEY_FILE names ${keyFile}, which is not there.`,
    );
  });
});

describe("on SQLite without a setting", () => {
  test("it is made once, for its owner alone", async () => {
    const made = await find({});
    expect(made).toHaveLength(32);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect(await find({})).toEqual(made);
    expect(await find({}, false)).toEqual(made);
    expect(await readdir(dataDir)).toEqual(["secret.key"]);
  });

  test("two folders have two keys", async () => {
    const one = await find({});
    dataDir = await mkdtemp(path.join(tmpdir(), "secret-key-"));
    folders.push(dataDir);
    expect(await find({})).not.toEqual(one);
  });

  test("of several processes that make it at once all get the same", async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => find({})));
    expect(new Set(found.map((key) => key.toString("hex"))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(["secret.key"]);
  });

  test("it is not made anew once something was sealed", async () => {
    await expect(find({}, false)).rejects.toThrow(ConfigError);
    await expect(find({}, false)).rejects.toThrow(`${keyFile} is not there`);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("the folder is made where there is none", async () => {
    dataDir = path.join(dataDir, "a", "b");
    expect(await find({})).toHaveLength(32);
  });
});

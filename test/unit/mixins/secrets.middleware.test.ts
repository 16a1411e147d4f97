import { rm } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import type { Service } from "moleculer";
import type { Config } from "../../../lib/config.ts";
import { ConfigError } from "../../../lib/config.ts";
import { databaseMiddleware, databaseOf } from "../../../mixins/database.middleware.ts";
import { forgetRetiredKeys, readKnownKeys, retireOtherKeys } from "../../../mixins/known-keys.ts";
import { cipherOf, secretsMiddleware } from "../../../mixins/secrets.middleware.ts";
import { describeOnBothDatabases, freshSqliteStorage } from "../../support/databases.ts";
import { quietBroker } from "./support/quiet-broker.ts";

type Storage = Config["storage"];

const keyOf = (name: string) => Buffer.alloc(32, name);
const secretsOf = (current?: string, previous?: string): Config["secrets"] => ({
  secretKey: current === undefined ? undefined : keyOf(current),
  secretKeyFile: undefined,
  secretKeyPrevious: previous === undefined ? undefined : keyOf(previous),
});
const nodeOn = (storage: Storage, ...keys: [current?: string, previous?: string]) =>
  quietBroker(databaseMiddleware(storage), secretsMiddleware({ secrets: secretsOf(...keys), storage }));

/** Starts a node, gives what it seals, opens or is otherwise asked for, and stops it. */
async function onNode<Result>(
  storage: Storage,
  keys: [current?: string, previous?: string],
  work: (node: ReturnType<typeof quietBroker>) => Result | Promise<Result>,
): Promise<Result> {
  const node = nodeOn(storage, ...keys);
  try {
    await node.start();
    return await work(node);
  } finally {
    await node.stop();
  }
}

const start = (storage: Storage, ...keys: [current?: string, previous?: string]) =>
  onNode(storage, keys, () => "started");
const foreign = expect.objectContaining({
  constructor: ConfigError,
  message: expect.stringMatching(
    /^SECRET_KEY \(or the file that stands for it\) is not the key that sealed the secrets in this database\./,
  ),
});

const retired = expect.objectContaining({
  constructor: ConfigError,
  message:
    "SECRET_KEY (or the file that stands for it) is the key that `secrets reseal` has begun to replace: swap it with SECRET_KEY_PREVIOUS.",
});

describeOnBothDatabases("the secret key of a node", (_open, freshStorage) => {
  let storage: Storage;

  beforeEach(async () => {
    storage = await freshStorage();
  });

  test("opens on the next node what it sealed on another", async () => {
    const sealed = await onNode(storage, ["one"], (node) => cipherOf(node).seal("secret", "place"));
    expect(await onNode(storage, ["one"], (node) => cipherOf(node).open(sealed, "place"))).toBe("secret");
  });

  test("is refused where another one was there before, which is then let in as ever", async () => {
    await start(storage, "one");
    await expect(start(storage, "two")).rejects.toEqual(foreign);
    await expect(start(storage, "two", "three")).rejects.toEqual(foreign);
    expect(await start(storage, "one")).toBe("started");
    expect(await start(storage, "one", "two")).toBe("started");
  });

  test("may be a new one where the one before is given too, and both are asked for from then on", async () => {
    await start(storage, "old");
    expect(await start(storage, "new", "old")).toBe("started");
    await expect(start(storage, "new")).rejects.toEqual(foreign);
    await expect(start(storage, "old")).rejects.toEqual(foreign);
    expect(await start(storage, "old", "new")).toBe("started");
    expect(await start(storage, "new", "old")).toBe("started");
  });

  test("is enough by itself once the others are forgotten", async () => {
    await start(storage, "old");
    await onNode(storage, ["new", "old"], async (node) => {
      await retireOtherKeys(databaseOf(node), cipherOf(node));
      await forgetRetiredKeys(databaseOf(node));
    });
    expect(await start(storage, "new")).toBe("started");
    await expect(start(storage, "old")).rejects.toEqual(foreign);
  });

  test("may not be one that was retired, and must open what that one sealed", async () => {
    await start(storage, "old");
    await onNode(storage, ["new", "old"], (node) => retireOtherKeys(databaseOf(node), cipherOf(node)));
    await expect(start(storage, "old", "new")).rejects.toEqual(retired);
    for (const key of ["old", "new"]) await expect(start(storage, key)).rejects.toEqual(foreign);
    expect(await start(storage, "new", "old")).toBe("started");
  });

  test("is the same for nodes that start at once on an empty database, or others are refused", async () => {
    // Opened once before: which of several nodes migrates is another matter.
    await onNode(storage, ["one"], (node) =>
      databaseOf(node).transaction((transaction) => transaction.execute("DELETE FROM settings")),
    );
    const outcomes = await Promise.allSettled(["one", "two", "three"].map((name) => start(storage, name)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("may be changed on all nodes at once", async () => {
    await start(storage, "old");
    const nodes = await Promise.all([1, 2, 3, 4].map(() => start(storage, "new", "old")));
    expect(nodes).toEqual(Array(4).fill("started"));
    await expect(start(storage, "old")).rejects.toEqual(foreign);
  });

  test("is known to the database by name alone", async () => {
    await onNode(storage, ["one"], async (node) => {
      expect(await readKnownKeys(databaseOf(node).read)).toEqual([
        { id: cipherOf(node).keyId, isRetired: false },
      ]);
    });
  });
});

test("the cipher is there when services start, and not before", async () => {
  const node = nodeOn(await freshSqliteStorage(), "one");
  let prefix: string | undefined;
  node.createService({
    name: "sealer",
    started(this: Service) {
      prefix = cipherOf(this.broker).prefix;
    },
  });
  expect(() => cipherOf(node)).toThrow("known only once the broker has begun to start");
  await node.start();
  await node.stop();
  expect(prefix).toMatch(/^v1\./);
});

test("a key that was made in the folder is not replaced by another when it is lost", async () => {
  const storage = await freshSqliteStorage();
  const file = path.join(storage.dataDir, "secret.key");
  await start(storage);
  await start(storage);
  await rm(file);
  for (const _ of [1, 2]) await expect(start(storage)).rejects.toThrow(`${file} is not there`);
});

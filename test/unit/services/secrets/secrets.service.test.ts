import { beforeEach, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../../lib/config.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { sealWithin } from "../../../../mixins/known-keys.ts";
import { cipherOf, secretsMiddleware } from "../../../../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import integrationsService from "../../../../services/integrations/integrations.service.ts";
import secretsService from "../../../../services/secrets/secrets.service.ts";
import webhooksService from "../../../../services/webhooks/webhooks.service.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { withEnvironment } from "../../../support/environment.ts";
import { quietBroker } from "../../mixins/support/quiet-broker.ts";
import { newTestIntegrations, sampleConfigs } from "../integrations/support/test-integrations.ts";

type Keys = [current: string, previous?: string];

const keyOf = (name: string) => Buffer.alloc(32, name);
const sealedColumns = [
  ["integrations", "credentials"],
  ["webhooks", "secret"],
] as const;
const REFUSED =
  "SECRET_KEY (or the file that stands for it) is not the key that sealed the secrets in this database";

describeOnBothDatabases("the change of the secret key", (_open, freshStorage) => {
  let storage: Config["storage"];

  beforeEach(async () => {
    storage = await freshStorage();
  });

  /** A node with these keys and all services that seal. */
  const newNode = ([current, previous]: Keys) => {
    const secrets: Config["secrets"] = {
      secretKey: keyOf(current),
      secretKeyFile: undefined,
      secretKeyPrevious: previous === undefined ? undefined : keyOf(previous),
    };
    const node = quietBroker(
      databaseMiddleware(storage),
      secretsMiddleware({ secrets, storage }),
      validationMiddleware(),
    );
    withEnvironment({}, () => {
      for (const service of [integrationsService, webhooksService, secretsService])
        node.createService(service);
    });
    return node;
  };

  /** Starts a node, lets it work, and stops it. */
  const onNode = async <Result>(keys: Keys, work: (node: ServiceBroker) => Promise<Result>) => {
    const node = newNode(keys);
    try {
      await node.start();
      return await work(node);
    } finally {
      await node.stop();
    }
  };

  const addWebhook = (node: ServiceBroker, workspaceId: string, secret: string) => {
    const id = newId("webhook");
    return databaseOf(node).transaction(async (transaction) =>
      transaction.execute(
        `INSERT INTO webhooks (id, workspace_id, url, events, status, secret, created_at, stands_since)
         VALUES (?, ?, 'https://a.example', '["*"]', 'active', ?, 1, 1)`,
        [id, workspaceId, await sealWithin(transaction, cipherOf(node), secret, `webhooks/${id}`)],
      ),
    );
  };

  /** Connects a workspace and registers a webhook, both with a secret. */
  const addSecrets = async (node: ServiceBroker) => {
    const acme = await newTestIntegrations(databaseOf(node), cipherOf(node));
    for (const type of ["slack", "zapier", "github"] as const) await acme.connect(type);
    await addWebhook(node, acme.caller.workspaceId, "signs deliveries");
  };

  /** Everything that is sealed, opened by the node's keys. */
  const openAll = async (node: ServiceBroker) => {
    const { read } = databaseOf(node);
    const opened: string[] = [];
    for (const [table, column] of sealedColumns) {
      const rows = await read.query<{ id: string; sealed: string }>(
        `SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL ORDER BY id`,
      );
      opened.push(...rows.map(({ id, sealed }) => cipherOf(node).open(sealed, `${table}/${id}`)));
    }
    return opened;
  };

  const reseal = (node: ServiceBroker) => node.call("secrets.reseal");

  test("seals all anew, after which the previous key is needed no more and opens nothing", async () => {
    const before = await onNode(["old"], async (node) => {
      await addSecrets(node);
      return await openAll(node);
    });
    expect(before).toHaveLength(3);

    await onNode(["new", "old"], async (node) => {
      expect(await openAll(node)).toEqual(before);
      await addSecrets(node);
      expect(await reseal(node)).toEqual({ resealed: 3, unreadable: 0 });
      expect(await reseal(node)).toEqual({ resealed: 0, unreadable: 0 });
    });

    await onNode(["new"], async (node) => {
      const after = await openAll(node);
      expect(after).toHaveLength(6);
      expect(after).toEqual(expect.arrayContaining(before));
    });
    await expect(onNode(["old"], openAll)).rejects.toThrow(REFUSED);
  });

  test("asks for both keys as long as it was not done", async () => {
    await onNode(["old"], addSecrets);
    await onNode(["new", "old"], addSecrets);
    for (const key of ["old", "new"]) await expect(onNode([key], openAll)).rejects.toThrow(REFUSED);
    expect(await onNode(["old", "new"], openAll)).toHaveLength(6);
  });

  test("keeps asking for the previous key where something could not be opened", async () => {
    await onNode(["old"], async (node) => {
      await addSecrets(node);
      await databaseOf(node).transaction((transaction) =>
        transaction.execute("UPDATE webhooks SET secret = 'v1.000000000000.AAAA'"),
      );
    });
    await onNode(["new", "old"], async (node) => {
      expect(await reseal(node)).toEqual({ resealed: 2, unreadable: 1 });
    });
    await expect(onNode(["new"], openAll)).rejects.toThrow(REFUSED);
  });

  test("leaves nothing to a node that runs on with the key before, and what that one sealed is not lost", async () => {
    await onNode(["old"], async (running) => {
      const acme = await newTestIntegrations(databaseOf(running), cipherOf(running));
      const call = (name: string, params: object) =>
        running.call<{ id: string }, object>(`integrations.${name}`, params, {
          meta: { caller: acme.caller },
        });
      const { id } = await call("create", { type: "slack", config: sampleConfigs.slack });
      await onNode(["new", "old"], async (beside) => {
        expect(await reseal(beside)).toEqual({ resealed: 1, unreadable: 0 });
      });
      const before = [await acme.rows(), await acme.events()];
      const refused = {
        code: 503,
        errorCode: "unavailable",
        cause: expect.objectContaining({ message: expect.stringContaining("SECRET_KEY") }),
      };
      for (const [name, params] of [
        ["create", { type: "zapier", config: sampleConfigs.zapier }],
        ["update", { id, config: { bot_token: "xoxb-2" } }],
      ] as const) {
        await expect(call(name, params)).rejects.toMatchObject(refused);
      }
      expect([await acme.rows(), await acme.events()]).toEqual(before);
      await expect(reseal(running)).rejects.toMatchObject({ code: 409, errorCode: "conflict" });

      // What needs no key goes on.
      await call("update", { id, config: { channel: "#other" } });
      await call("create", { type: "github", config: sampleConfigs.github });
    });
    expect(await onNode(["new"], openAll)).toEqual(['{"bot_token":"xoxb-very-secret"}']);
  });

  test("goes step by step on several nodes, and back, until it is done", async () => {
    await onNode(["old"], addSecrets);
    // First every node gets the new key too, one after the other.
    await onNode(["old"], (waiting) =>
      onNode(["old", "new"], async (first) => {
        await addSecrets(waiting);
        await addSecrets(first);
        expect(await openAll(waiting)).toHaveLength(9);
      }),
    );
    // Then every node seals with it, and both read each other; one of them goes back, and on again.
    await onNode(["old", "new"], (waiting) =>
      onNode(["new", "old"], async (first) => {
        for (const node of [first, waiting]) await addSecrets(node);
        for (const node of [first, waiting]) expect(await openAll(node)).toHaveLength(15);
      }),
    );
    expect(await onNode(["old", "new"], openAll)).toHaveLength(15);
    await onNode(["new", "old"], (first) =>
      onNode(["new", "old"], async (second) => {
        expect(await reseal(first)).toEqual({ resealed: 12, unreadable: 0 });
        for (const node of [first, second]) await addSecrets(node);
      }),
    );
    await onNode(["new"], async (node) => {
      expect(await openAll(node)).toHaveLength(21);
      await addSecrets(node);
    });
  });

  test("is completed by the next one where it was cut off", async () => {
    await onNode(["old"], addSecrets);
    await onNode(["new", "old"], async (node) => {
      await node.destroyService("webhooks");
      const cutOff = () => Promise.reject(new Error("cut off"));
      node.createService({ name: "webhooks", actions: { reseal: cutOff } });
      await node.waitForServices("webhooks");
      await expect(reseal(node)).rejects.toThrow("cut off");
    });
    await expect(onNode(["old", "new"], openAll)).rejects.toThrow("swap it with SECRET_KEY_PREVIOUS");
    await expect(onNode(["new"], openAll)).rejects.toThrow(REFUSED);
    await onNode(["new", "old"], async (node) => {
      await addSecrets(node);
      expect(await reseal(node)).toEqual({ resealed: 1, unreadable: 0 });
    });
    expect(await onNode(["new"], openAll)).toHaveLength(6);
  });

  test("at once from nodes with different keys keeps one of them, which opens everything", async () => {
    await onNode(["old"], addSecrets);
    const outcomes = await onNode(["old", "new"], (one) =>
      onNode(["new", "old"], async (other) => {
        for (const node of [one, other]) await addSecrets(node);
        return await Promise.allSettled([one, other].map(reseal));
      }),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual([409]);
    const winner = outcomes[0]?.status === "fulfilled" ? "old" : "new";
    expect(await onNode([winner], openAll)).toHaveLength(9);
  });

  test("loses nothing that is sealed while it runs, with either key", async () => {
    const stored = await onNode(["old", "new"], (one) =>
      onNode(["new", "old"], async (other) => {
        for (const node of [one, other]) await addSecrets(node);
        const adding = Promise.allSettled(
          Array.from({ length: 12 }, (_, index) => addSecrets(index % 2 === 0 ? one : other)),
        );
        expect(await reseal(other)).toMatchObject({ unreadable: 0 });
        await adding;
        return await openAll(other);
      }),
    );
    expect(await onNode(["new"], openAll)).toEqual(stored);
  });

  test("is refused while another node seals with another key", async () => {
    await onNode(["old"], addSecrets);
    await onNode(["new", "old"], async (node) => {
      await node.destroyService("webhooks");
      const foreign = { key_id: "0123456789ab", resealed: 0, unreadable: 0 };
      node.createService({ name: "webhooks", actions: { reseal: () => foreign } });
      await node.waitForServices("webhooks");
      await expect(reseal(node)).rejects.toMatchObject({ code: 409, errorCode: "conflict" });
    });
    await expect(onNode(["new"], openAll)).rejects.toThrow(REFUSED);
  });
});

test("it is for operators alone, and takes as long as it takes", () => {
  expect(secretsService.actions).toMatchObject({ reseal: { permission: "operate", timeout: 0 } });
});

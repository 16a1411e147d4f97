import { beforeEach, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../../lib/config.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { cipherOf, secretsMiddleware } from "../../../../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import integrationsService from "../../../../services/integrations/integrations.service.ts";
import secretsService from "../../../../services/secrets/secrets.service.ts";
import webhooksService from "../../../../services/webhooks/webhooks.service.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { withEnvironment } from "../../../support/environment.ts";
import { quietBroker } from "../../mixins/support/quiet-broker.ts";
import { newTestIntegrations } from "../integrations/support/test-integrations.ts";

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

  /** Starts a node with these keys and all services that seal, lets it work, and stops it. */
  const onNode = async <Result>(
    [current, previous]: Keys,
    work: (node: ServiceBroker) => Promise<Result>,
  ) => {
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
    try {
      await node.start();
      return await work(node);
    } finally {
      await node.stop();
    }
  };

  const addWebhook = (node: ServiceBroker, workspaceId: string, secret: string) => {
    const id = newId("webhook");
    return databaseOf(node).transaction((transaction) =>
      transaction.execute(
        `INSERT INTO webhooks (id, workspace_id, url, events, status, secret, created_at, stands_since)
         VALUES (?, ?, 'https://a.example', '["*"]', 'active', ?, 1, 1)`,
        [id, workspaceId, cipherOf(node).seal(secret, `webhooks/${id}`)],
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

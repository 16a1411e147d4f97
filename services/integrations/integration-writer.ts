import { type Transaction, UniqueViolation } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import type { Cipher } from "../../lib/cipher.ts";
import { notFound, ServiceError } from "../../lib/errors.ts";
import { idTimeMs, newId } from "../../lib/ids.ts";
import { parseOrdered, stringifyOrdered } from "../../lib/ordered-json.ts";
import { credentialsPlace } from "../../lib/sealed-places.ts";
import { cancelDeliveries } from "../../mixins/cancel-deliveries.ts";
import { sealWithin } from "../../mixins/known-keys.ts";
import type { Outbox } from "../../mixins/outbox.ts";
import { findProvider } from "./catalog.ts";
import {
  deleteIntegration,
  insertIntegration,
  lockIntegration,
  type StoredRow,
  updateIntegration,
} from "./integration.repository.ts";
import type { IntegrationPatch, IntegrationResource, NewIntegration } from "./integration.schema.ts";
import { type Config, checkConfig, checkConfigPatch, splitConfig } from "./integration-config.ts";
import { toResource } from "./integration-view.ts";
import type { Provider } from "./providers/provider.ts";

/** Everything that changes integrations. Rows and events of one request come together or not at all. */
export class IntegrationWriter {
  readonly #outbox: Outbox;
  readonly #cipher: Cipher;
  readonly #nowMs: () => number;

  constructor(outbox: Outbox, cipher: Cipher, nowMs: () => number = Date.now) {
    this.#outbox = outbox;
    this.#cipher = cipher;
    this.#nowMs = nowMs;
  }

  /**
   * Connects the workspace to a provider. By OAuth that is done only once it is authorized, so nobody is told yet.
   * @throws ServiceError 422 or 400 for a config that is not valid, 409 where there is one of this type
   */
  async create(caller: Caller, { type, config }: NewIntegration): Promise<IntegrationResource> {
    const provider = providerOf(type);
    checkConfig(provider, config);
    const { shown, secret } = splitConfig(provider, config);
    const row = this.#newRow(caller, provider, shown);
    const resource = toResource(row);
    try {
      return await this.#outbox.transaction(caller, async (transaction) => {
        const credentials = await this.#sealed(transaction, row.id, secret);
        await insertIntegration(transaction, { ...row, credentials });
        if (row.status === "connected") {
          const data = { ...resource, connected_by: caller.userId };
          await transaction.emit([{ event: "integration.connected", data }]);
        }
        return resource;
      });
    } catch (error) {
      throw error instanceof UniqueViolation ? connectedAlready(provider) : error;
    }
  }

  #newRow({ workspaceId }: Caller, provider: Provider, shown: Config): Omit<StoredRow, "credentials"> {
    const id = newId("integration", this.#nowMs());
    const createdAtMs = idTimeMs("integration", id);
    const isConnected = provider.auth !== "oauth";
    return {
      id,
      workspace_id: workspaceId,
      type: provider.type,
      status: isConnected ? "connected" : "pending_auth",
      config: stringifyOrdered(shown),
      connected_at: isConnected ? createdAtMs : null,
      created_at: createdAtMs,
      updated_at: createdAtMs,
    };
  }

  /**
   * Merges keys into the config; each replaces the value that was there. Two patches at once both take effect.
   * @throws ServiceError 404, or 422 or 400 for what no config of the provider has
   */
  async update(caller: Caller, { id, config }: IntegrationPatch): Promise<IntegrationResource> {
    return await this.#outbox.transaction(caller, async (transaction) => {
      const row = await lockIntegration(transaction, caller.workspaceId, id);
      if (!row) throw notFound("integration");
      const provider = providerOf(row.type);
      checkConfigPatch(provider, config);
      if (Object.keys(config).length === 0) return toResource(row);
      const next = await this.#patched(transaction, row, provider, config);
      await updateIntegration(transaction, next);
      return toResource(next);
    });
  }

  async #patched(
    transaction: Transaction,
    row: StoredRow,
    provider: Provider,
    patch: Config,
  ): Promise<StoredRow> {
    const { shown, secret } = splitConfig(provider, patch);
    return {
      ...row,
      config: stringifyOrdered({ ...parseOrdered<Config>(row.config), ...shown }),
      credentials: await this.#mergedCredentials(transaction, row, provider, secret),
      updated_at: this.#nowMs(),
    };
  }

  async #mergedCredentials(
    transaction: Transaction,
    row: StoredRow,
    { credentials }: Provider,
    patch: Config,
  ): Promise<string | null> {
    if (Object.keys(patch).length === 0) return row.credentials;
    // Where all of them are given, what was there need not be opened: so a lost key can be overcome.
    const isComplete = credentials.every((key) => Object.hasOwn(patch, key));
    if (isComplete || row.credentials === null) return await this.#sealed(transaction, row.id, patch);
    const before = parseOrdered<Config>(this.#cipher.open(row.credentials, credentialsPlace(row.id)));
    return await this.#sealed(transaction, row.id, { ...before, ...patch });
  }

  async #sealed(transaction: Transaction, id: string, secret: Config): Promise<string | null> {
    if (Object.keys(secret).length === 0) return null;
    return await sealWithin(transaction, this.#cipher, stringifyOrdered(secret), credentialsPlace(id));
  }

  /** Disconnects for good, whatever its status is, and cancels what waits for it. Throws 404 where there is none. */
  async remove(caller: Caller, id: string): Promise<null> {
    return await this.#outbox.transaction(caller, async (transaction) => {
      const row = await lockIntegration(transaction, caller.workspaceId, id);
      if (!row) throw notFound("integration");
      await deleteIntegration(transaction, id);
      await cancelDeliveries(transaction, id);
      const data = { ...toResource(row), disconnected_by: caller.userId };
      await transaction.emit([{ event: "integration.disconnected", data }]);
      return null;
    });
  }
}

function providerOf(type: string): Provider {
  const provider = findProvider(type);
  if (!provider) throw new Error(`This version of the program has no provider ${type}.`);
  return provider;
}

function connectedAlready({ name }: Provider): ServiceError {
  return new ServiceError(
    "conflict",
    `The workspace has an integration with ${name} already: change that one, or disconnect it first.`,
  );
}

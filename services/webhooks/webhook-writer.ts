import type { Sql, Transaction } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import type { Cipher } from "../../lib/cipher.ts";
import { CrowdLimit } from "../../lib/crowd-limit.ts";
import { notFound, ServiceError } from "../../lib/errors.ts";
import { idTimeMs, newId } from "../../lib/ids.ts";
import { webhookSecretPlace } from "../../lib/sealed-places.ts";
import { cancelDeliveries } from "../../mixins/cancel-deliveries.ts";
import { sealWithin } from "../../mixins/known-keys.ts";
import type { Outbox } from "../../mixins/outbox.ts";
import { deleteWebhook, insertWebhook, type NewRow } from "./webhook.repository.ts";
import type { NewWebhook, WebhookResource } from "./webhook.schema.ts";
import { addToCount, countWebhooks } from "./webhook-count.repository.ts";
import type { ValidateWebhook } from "./webhook-validation.ts";
import { toResource } from "./webhook-view.ts";

/** Addresses that a node asks at a time in one workspace's name, and in all: nobody is to be flooded from here. */
const MAX_ASKED_AT_ONCE = 20;
const MAX_ASKED_IN_ALL = 200;
const ASK_AGAIN_SECONDS = 5;

export interface WebhookWriterOptions {
  readonly read: Sql;
  readonly outbox: Outbox;
  readonly cipher: Cipher;
  /** Asks an address whether it takes deliveries. */
  readonly validate: ValidateWebhook;
  /** Registrations that a workspace may have. */
  readonly limit: number;
  /** A clock in milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** Everything that changes registrations. A row and what it changes of the count come together or not at all. */
export class WebhookWriter {
  readonly #read: Sql;
  readonly #outbox: Outbox;
  readonly #cipher: Cipher;
  readonly #validate: ValidateWebhook;
  readonly #limit: number;
  readonly #nowMs: () => number;
  readonly #asking = new CrowdLimit(MAX_ASKED_AT_ONCE, MAX_ASKED_IN_ALL);

  constructor({ read, outbox, cipher, validate, limit, nowMs = Date.now }: WebhookWriterOptions) {
    this.#read = read;
    this.#outbox = outbox;
    this.#cipher = cipher;
    this.#validate = validate;
    this.#limit = limit;
    this.#nowMs = nowMs;
  }

  /**
   * Registers an address that takes deliveries.
   * @throws ServiceError 429 where the workspace has as many as it may, or too many under way; 422 where the
   * address does not answer as it must
   */
  async create(caller: Caller, webhook: NewWebhook): Promise<WebhookResource> {
    // A workspace that is full has no address called in its name.
    this.#checkLimit((await countWebhooks(this.#read, caller.workspaceId)) + 1);
    const row = this.#newRow(caller, webhook);
    const resource = toResource(row);
    await this.#ask(caller, resource, webhook.secret);
    return await this.#outbox.transaction(caller, async (transaction) => {
      const secret = await this.#sealed(transaction, row.id, webhook.secret);
      await insertWebhook(transaction, { ...row, secret });
      await addToCount(transaction, caller.workspaceId, 1);
      // Others may have registered since.
      this.#checkLimit(await countWebhooks(transaction, caller.workspaceId));
      return resource;
    });
  }

  async #ask({ workspaceId }: Caller, webhook: WebhookResource, secret: string | undefined): Promise<void> {
    const leave = this.#asking.enter(workspaceId);
    if (!leave) {
      throw new ServiceError("rate_limited", `At most ${MAX_ASKED_AT_ONCE} URLs are tried at a time.`, {
        retryAfterSeconds: ASK_AGAIN_SECONDS,
      });
    }
    try {
      await this.#validate(workspaceId, webhook, secret);
    } finally {
      leave();
    }
  }

  #newRow({ workspaceId }: Caller, { url, events }: NewWebhook): Omit<NewRow, "secret"> {
    const id = newId("webhook", this.#nowMs());
    return {
      id,
      workspace_id: workspaceId,
      url,
      events: JSON.stringify(events),
      status: "active",
      created_at: idTimeMs("webhook", id),
    };
  }

  async #sealed(transaction: Transaction, id: string, secret: string | undefined): Promise<string | null> {
    if (secret === undefined) return null;
    return await sealWithin(transaction, this.#cipher, secret, webhookSecretPlace(id));
  }

  #checkLimit(count: number): void {
    if (count <= this.#limit) return;
    const most = `${this.#limit} webhook registration${this.#limit === 1 ? "" : "s"}`;
    throw new ServiceError("limit_reached", `A workspace may have at most ${most}; remove one first.`);
  }

  /** Removes a registration, and cancels what waits for it. Throws 404 where there is none. */
  async remove(caller: Caller, id: string): Promise<null> {
    return await this.#outbox.transaction(caller, async (transaction) => {
      if (!(await deleteWebhook(transaction, caller.workspaceId, id))) throw notFound("webhook");
      await addToCount(transaction, caller.workspaceId, -1);
      await cancelDeliveries(transaction, id);
      return null;
    });
  }
}

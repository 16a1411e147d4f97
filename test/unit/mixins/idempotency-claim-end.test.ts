import { expect, test } from "@jest/globals";
import type { Claim } from "../../../lib/caller.ts";
import { type ClaimedRequest, claimRequest, releaseClaim, storeAnswer } from "../../../mixins/idempotency.ts";
import { insertClaim } from "../../../mixins/idempotency-key.repository.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";

const WORKSPACE = "ws_1";
const asked: ClaimedRequest = { requestHash: "a".repeat(64), bodyHashes: ["b".repeat(64)] };

/** How long the claim lasts, and how far the clocks of the test and of the database may go apart meanwhile. */
const LASTS_MS = 300;
const CLOCKS_APART_MS = 50;

describeOnBothDatabases("a claim whose holder never comes back", (open) => {
  test("runs out by itself: then another holds it, and the first one can store and release nothing", async () => {
    const database = await open();
    const first: Claim = { requestHash: asked.requestHash, id: "claim 1", isAnswered: false };
    const row = {
      workspace_id: WORKSPACE,
      request_hash: asked.requestHash,
      body_hash: "b".repeat(64),
      claim_id: first.id,
    };
    const startedMs = performance.now();
    await database.transaction((transaction) => insertClaim(transaction, row, LASTS_MS));

    // Until then each attempt is refused, and tried again.
    const claimed = await waitFor(() => claimRequest(database, WORKSPACE, asked), {
      what: "the claim to end",
    });
    expect(performance.now() - startedMs).toBeGreaterThan(LASTS_MS - CLOCKS_APART_MS);
    if (!("claimId" in claimed)) throw new Error("Nobody has answered, but there is an answer.");
    const second: Claim = { ...first, id: claimed.claimId };

    const store = (claim: Claim, answer: string) =>
      database.transaction((transaction) => storeAnswer(transaction, WORKSPACE, claim, answer));
    await expect(store(first, "late")).rejects.toMatchObject({ errorCode: "conflict" });
    await releaseClaim(database, WORKSPACE, first);
    await store(second, "in time");
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({ answer: '"in time"' });
  });
});

import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "../db/database.ts";
import type { Claim } from "../lib/caller.ts";
import { ServiceError } from "../lib/errors.ts";
import { faultError } from "../lib/faults.ts";
import { stringifyPaced } from "../lib/paced-stringify.ts";
import {
  answerClaim,
  deleteClaim,
  findRequest,
  insertClaim,
  type KnownRequest,
  type NewClaim,
  takeOverClaim,
} from "./idempotency-key.repository.ts";
import { sealWithin } from "./known-keys.ts";

/** Longer than any action takes that a client still waits for; what a crash leaves behind ends after it. */
const CLAIM_MS = 30_000;
/** How long an answer is given to repeats of its request. */
const ANSWER_MS = 24 * 60 * 60 * 1000;
/** A claim fails in favour of another's, which may end before one looks: then it is tried again. */
const MAX_ATTEMPTS = 5;

const HEADER = "Idempotency-Key";

/** A request is either to be worked on, by this claim, or has its answer. */
export type Claimed = { readonly claimId: string } | { readonly answer: string };

export interface ClaimedRequest {
  readonly requestHash: string;
  /** Of one body: the first is stored, and each is taken for the same when it comes again. */
  readonly bodyHashes: readonly [string, ...string[]];
}

/**
 * Claims a request, so that of all that are the same exactly one is worked on.
 * @throws ServiceError `unprocessable` where the key came with another body, `conflict` while another works on it
 */
export async function claimRequest(
  database: Database,
  workspaceId: string,
  { requestHash, bodyHashes }: ClaimedRequest,
): Promise<Claimed> {
  const claim: NewClaim = {
    workspace_id: workspaceId,
    request_hash: requestHash,
    body_hash: bodyHashes[0],
    claim_id: randomUUID(),
  };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if (await database.transaction((transaction) => insertClaim(transaction, claim, CLAIM_MS))) {
      return { claimId: claim.claim_id };
    }
    // Outside of that transaction: two which held the row for reading would stand in each other's way.
    const known = await findRequest(database.read, claim, bodyHashes);
    if (known?.is_expired === 0) return { answer: answerOf(known, bodyHashes) };
    if (known && (await database.transaction((transaction) => takeOverClaim(transaction, claim, CLAIM_MS)))) {
      return { claimId: claim.claim_id };
    }
  }
  throw stillRunning();
}

function answerOf({ body_hash, claim_id, answer }: KnownRequest, bodyHashes: readonly string[]): string {
  if (!bodyHashes.includes(body_hash)) {
    throw faultError("unprocessable", [{ path: HEADER, message: "was used before with another body" }]);
  }
  if (claim_id !== null || answer === null) throw stillRunning();
  return answer;
}

function stillRunning(): ServiceError {
  return new ServiceError("conflict", `A request with this ${HEADER} is still running.`, {
    retryAfterSeconds: 1,
  });
}

/**
 * Stores the answer to a claimed request, within the transaction of its write.
 * @param result what the action gives back
 * @throws ServiceError `conflict` where the claim is not held any more, `unavailable` where the answer must be
 * sealed and cannot be: the write must not happen then
 */
export async function storeAnswer(
  transaction: Transaction,
  workspaceId: string,
  { requestHash, id, vault }: Claim,
  result: unknown,
): Promise<void> {
  const text = await stringifyPaced(result ?? null);
  const answer = vault ? await sealWithin(transaction, vault.cipher, text, vault.place) : text;
  const name = { workspace_id: workspaceId, request_hash: requestHash };
  if (!(await answerClaim(transaction, { ...name, claim_id: id, answer }, ANSWER_MS))) throw stillRunning();
}

/**
 * Gives a claim up, so that the request can be made again. Harmless at any time: where the answer is stored it
 * stays, and a write that is still under way finds its claim gone and is taken back.
 */
export async function releaseClaim(
  database: Database,
  workspaceId: string,
  { requestHash, id }: Pick<Claim, "requestHash" | "id">,
): Promise<void> {
  const claim = { workspace_id: workspaceId, request_hash: requestHash, claim_id: id };
  await database.transaction((transaction) => deleteClaim(transaction, claim));
}

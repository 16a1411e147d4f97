import { placeholders, type Sql, type Transaction } from "../db/database.ts";
import { dialectSql } from "../db/dialect.ts";
import type { IdempotencyKeyRow } from "./idempotency-key.entity.ts";

/** The primary key. */
export type RequestName = Pick<IdempotencyKeyRow, "workspace_id" | "request_hash">;
export type NewClaim = RequestName & Pick<IdempotencyKeyRow, "body_hash"> & { claim_id: string };

/** What is known of a request that came before. */
export interface KnownRequest {
  readonly body_hash: string;
  /** Null once there is an answer. */
  readonly claim_id: string | null;
  /** Only where the body is the one that was asked about. */
  readonly answer: string | null;
  /** 1 where it counts no more. */
  readonly is_expired: number;
}

const BY_KEY = "workspace_id = ? AND request_hash = ?";
const keyOf = ({ workspace_id, request_hash }: RequestName) => [workspace_id, request_hash];

/** SQL of the moment that is so many milliseconds ahead by the database's clock. */
const fromNow = ({ dialect }: Sql, ms: number) => `${dialectSql[dialect].nowMs} + ${ms}`;

/** Claims a request of which nothing is known. Gives false where something is. */
export async function insertClaim(
  transaction: Transaction,
  claim: NewClaim,
  lastsMs: number,
): Promise<boolean> {
  const { insertIgnore } = dialectSql[transaction.dialect];
  const inserted = await transaction.execute(
    `${insertIgnore} INTO idempotency_keys (workspace_id, request_hash, body_hash, claim_id, expires_at)
     VALUES (?, ?, ?, ?, ${fromNow(transaction, lastsMs)})`,
    [...keyOf(claim), claim.body_hash, claim.claim_id],
  );
  return inserted === 1;
}

/** Claims a request of which all that is known has expired. Gives false where that is not so. */
export async function takeOverClaim(
  transaction: Transaction,
  claim: NewClaim,
  lastsMs: number,
): Promise<boolean> {
  const taken = await transaction.execute(
    `UPDATE idempotency_keys
     SET body_hash = ?, claim_id = ?, answer = NULL, expires_at = ${fromNow(transaction, lastsMs)}
     WHERE ${BY_KEY} AND expires_at <= ${dialectSql[transaction.dialect].nowMs}`,
    [claim.body_hash, claim.claim_id, ...keyOf(claim)],
  );
  return taken === 1;
}

/** What is known of a request, with the answer to a body like this. */
export async function findRequest(
  sql: Sql,
  name: RequestName,
  bodyHashes: readonly string[],
): Promise<KnownRequest | undefined> {
  const isExpired = `expires_at <= ${dialectSql[sql.dialect].nowMs}`;
  const [known] = await sql.query<KnownRequest>(
    `SELECT body_hash, claim_id, ${isExpired} AS is_expired,
       CASE WHEN body_hash IN (${placeholders(bodyHashes.length)}) AND NOT ${isExpired} THEN answer END AS answer
     FROM idempotency_keys WHERE ${BY_KEY}`,
    [...bodyHashes, ...keyOf(name)],
  );
  return known;
}

/** Ends a claim with an answer. Gives false where the claim is not held any more. */
export async function answerClaim(
  transaction: Transaction,
  { claim_id, answer, ...name }: RequestName & { claim_id: string; answer: string },
  keptMs: number,
): Promise<boolean> {
  const answered = await transaction.execute(
    `UPDATE idempotency_keys SET answer = ?, claim_id = NULL, expires_at = ${fromNow(transaction, keptMs)}
     WHERE ${BY_KEY} AND claim_id = ?`,
    [answer, ...keyOf(name), claim_id],
  );
  return answered === 1;
}

/** Ends a claim without a trace; leaves alone what is not this claim. */
export async function deleteClaim(
  transaction: Transaction,
  { claim_id, ...name }: RequestName & { claim_id: string },
): Promise<void> {
  await transaction.execute(`DELETE FROM idempotency_keys WHERE ${BY_KEY} AND claim_id = ?`, [
    ...keyOf(name),
    claim_id,
  ]);
}

/** Some of those that expired, the oldest first, without their answers. */
export async function findExpired(sql: Sql, limit: number): Promise<RequestName[]> {
  const { nowMs, useIndex } = dialectSql[sql.dialect];
  return await sql.query<RequestName>(
    `SELECT workspace_id, request_hash FROM idempotency_keys ${useIndex("idempotency_keys_expires")}
     WHERE expires_at <= ${nowMs} ORDER BY expires_at LIMIT ${limit}`,
  );
}

/** Deletes one unless somebody has claimed it anew; gives how many were deleted. */
export async function deleteExpired(transaction: Transaction, name: RequestName): Promise<number> {
  return await transaction.execute(
    `DELETE FROM idempotency_keys WHERE ${BY_KEY} AND expires_at <= ${dialectSql[transaction.dialect].nowMs}`,
    keyOf(name),
  );
}

import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../db/columns.ts";

/** A POST that carried an `Idempotency-Key`: claimed while it runs, then kept with its answer. */
export interface IdempotencyKeyRow {
  workspace_id: string;
  /** Hash of path and key. */
  request_hash: string;
  /** Of the body's bytes, under the secret key: see Cipher.fingerprints. */
  body_hash: string;
  /** Names whoever works on it; null once there is an answer. */
  claim_id: string | null;
  /** Milliseconds since 1970 by the database's clock: the end of the claim, or of the answer's keeping. */
  expires_at: number;
  /** What the action gave back, as JSON, sealed where it holds a secret; null while it runs. */
  answer: string | null;
}

export const idempotencyKeyEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<IdempotencyKeyRow>({
    name: "idempotencyKey",
    tableName: "idempotency_keys",
    columns: {
      workspace_id: { primary: true, ...id },
      request_hash: { primary: true, ...string(64) },
      body_hash: string(64),
      claim_id: { nullable: true, ...id },
      expires_at: integer,
      answer: { nullable: true, ...longText },
    },
    indices: [{ name: "idempotency_keys_expires", columns: ["expires_at"] }],
  });

import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../db/columns.ts";

/** A POST that carried an `Idempotency-Key`: claimed while it runs, then kept with its answer. */
export interface IdempotencyKeyRow {
  workspace_id: string;
  /** Hash of path and key. */
  request_hash: string;
  /** Hash of the body's bytes. */
  body_hash: string;
  /** Names whoever works on it; null once there is an answer. */
  claim_id: string | null;
  /** What the action gave back, as JSON; null while it runs. */
  answer: string | null;
  /** Milliseconds since 1970 by the database's clock: the end of the claim, or of the answer's keeping. */
  expires_at: number;
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
      answer: { nullable: true, ...longText },
      expires_at: integer,
    },
    indices: [{ name: "idempotency_keys_expires", columns: ["expires_at"] }],
  });

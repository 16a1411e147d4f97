import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** Why an attempt brought no status. */
export const attemptErrors = ["timeout", "refused", "dns", "tls", "blocked", "status", "redirect"] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** One attempt to make a delivery, and what came of it. */
export interface AttemptRow {
  delivery_id: string;
  /** Counted from 1. */
  number: number;
  at: number;
  duration_ms: number;
  status_code: number | null;
  /** Null where it succeeded. */
  error: AttemptError | null;
  /** The beginning of the answer, as text. */
  response: string | null;
}

export const deliveryAttemptEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<AttemptRow>({
    name: "deliveryAttempt",
    tableName: "delivery_attempts",
    columns: {
      delivery_id: { primary: true, ...id },
      number: { primary: true, ...integer },
      at: integer,
      duration_ms: integer,
      status_code: { nullable: true, ...integer },
      error: { nullable: true, ...string(16) },
      response: { nullable: true, ...longText },
    },
  });

import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** A record has a word that begins so: see lib/search-words.ts. */
export interface RecordWordRow {
  workspace_id: string;
  word: string;
  record_id: string;
}

export const recordWordEntity = ({ id, string }: ColumnTypes) =>
  new EntitySchema<RecordWordRow>({
    name: "recordWord",
    tableName: "record_words",
    withoutRowid: true,
    columns: {
      workspace_id: { primary: true, ...id },
      word: { primary: true, ...string(96) },
      record_id: { primary: true, ...id },
    },
  });

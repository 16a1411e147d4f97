import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** A user has a word that begins so: see lib/search-words.ts. */
export interface UserWordRow {
  workspace_id: string;
  word: string;
  user_id: string;
}

export const userWordEntity = ({ id, string }: ColumnTypes) =>
  new EntitySchema<UserWordRow>({
    name: "userWord",
    tableName: "user_words",
    withoutRowid: true,
    columns: {
      workspace_id: { primary: true, ...id },
      word: { primary: true, ...string(96) },
      user_id: { primary: true, ...id },
    },
  });

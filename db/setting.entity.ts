import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "./columns.ts";

/** What the program remembers about the whole database. */
export interface SettingRow {
  name: string;
  value: string;
}

export const settingEntity = ({ string }: ColumnTypes) =>
  new EntitySchema<SettingRow>({
    name: "setting",
    tableName: "settings",
    columns: { name: { primary: true, ...string(64) }, value: string(255) },
  });

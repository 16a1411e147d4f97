import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DataSource } from "typeorm";
import { columnTypes, mysqlCollation } from "../../../db/columns.ts";
import { migrations } from "../../../db/migrations/index.ts";
import { entities } from "../../../services/entities.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";

/**
 * Migrations and entities say the same twice. Each makes a database here, and the databases must not differ:
 * neither in columns and their order, nor in keys, indexes and references.
 */

type Rows = Record<string, unknown>[];

async function sqliteCatalogue(source: DataSource): Promise<unknown> {
  const tables: { name: string; wr: number }[] = await source.query(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY name",
  );
  const described = tables.map(async ({ name, wr }) => {
    const indexes: { name: string }[] = await source.query(
      `SELECT name, "unique", origin FROM pragma_index_list('${name}') ORDER BY name`,
    );
    return {
      name,
      withoutRowid: wr,
      columns: await source.query(
        `SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}') ORDER BY cid`,
      ),
      indexes: await Promise.all(
        indexes.map(async (index) => ({
          ...index,
          columns: await source.query(
            `SELECT seqno, name, "desc", coll FROM pragma_index_xinfo('${index.name}') WHERE key ORDER BY seqno`,
          ),
        })),
      ),
      references: await source.query(
        `SELECT "from", "table", "to", on_update, on_delete FROM pragma_foreign_key_list('${name}')`,
      ),
    };
  });
  return await Promise.all(described);
}

async function mariaDbCatalogue(source: DataSource): Promise<Rows[]> {
  const here = "table_schema = DATABASE() AND table_name <> 'migrations'";
  return await Promise.all([
    source.query(
      `SELECT table_name, ordinal_position, column_name, column_type, is_nullable, column_default,
         character_set_name, collation_name, extra
       FROM information_schema.columns WHERE ${here} ORDER BY table_name, ordinal_position`,
    ),
    source.query(
      `SELECT table_name, index_name, non_unique, seq_in_index, column_name, sub_part, collation
       FROM information_schema.statistics WHERE ${here} ORDER BY table_name, index_name, seq_in_index`,
    ),
    source.query(
      `SELECT table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
       FROM information_schema.key_column_usage WHERE ${here} AND referenced_table_name IS NOT NULL
       ORDER BY table_name, constraint_name, ordinal_position`,
    ),
    // RESTRICT is what NO ACTION means here, and what it is called where nothing was said.
    source.query(
      `SELECT table_name, constraint_name, REPLACE(delete_rule, 'RESTRICT', 'NO ACTION') AS delete_rule,
         REPLACE(update_rule, 'RESTRICT', 'NO ACTION') AS update_rule
       FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE()
       ORDER BY table_name, constraint_name`,
    ),
  ]);
}

/** The catalogue of the database that the source makes, by its migrations or from its entities. */
async function catalogueOf(
  source: DataSource,
  way: "migrations" | "entities",
  catalogue: (source: DataSource) => Promise<unknown>,
): Promise<unknown> {
  await source.initialize();
  try {
    if (way === "migrations") await source.runMigrations({ transaction: "none" });
    else await source.synchronize();
    return await catalogue(source);
  } finally {
    await source.destroy();
  }
}

test("on SQLite the migrations make the tables that the entities describe", async () => {
  const folder = await mkdtemp(join(tmpdir(), "schema-"));
  const made = (way: "migrations" | "entities") =>
    catalogueOf(
      new DataSource({
        type: "better-sqlite3",
        database: join(folder, way),
        migrations,
        entities: entities(columnTypes("sqlite")),
      }),
      way,
      sqliteCatalogue,
    );
  const migrated = await made("migrations");
  expect(migrated).toEqual(await made("entities"));
  expect(migrated).toContainEqual(expect.objectContaining({ name: "record_words", withoutRowid: 1 }));
  await rm(folder, { recursive: true });
});

describeMariaDb("on MariaDB", () => {
  async function made(way: "migrations" | "entities"): Promise<unknown> {
    const url = await (await startMariaDb()).createDatabase();
    const server = await new DataSource({ type: "mysql", url }).initialize();
    const [{ version }]: [{ version: string }] = await server.query("SELECT VERSION() AS version");
    await server.destroy();
    const types = columnTypes("mysql", mysqlCollation(version));
    return await catalogueOf(
      new DataSource({ type: "mysql", url, migrations, entities: entities(types) }),
      way,
      mariaDbCatalogue,
    );
  }

  test("the migrations make the tables that the entities describe", async () => {
    const migrated = await made("migrations");
    expect(migrated).toEqual(await made("entities"));
    expect(JSON.stringify(migrated)).toContain("utf8mb4_nopad_bin");
    expect(JSON.stringify(migrated)).not.toContain("general_ci");
  });
});

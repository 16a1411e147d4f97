import type { Sql } from "../../db/database.ts";
import type { IssuedStatement } from "./watched-sql.ts";

/** One step of MariaDB's EXPLAIN, and with ANALYZE how many rows it really read. */
interface MySqlStep {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
  readonly r_rows?: number | string | null;
}

/**
 * What in a statement's plan would grow with the tables: a scan of a table or of a whole index, or a sort of
 * what was found. A merged page is no table: it is as small as the page, and MariaDB may sort it.
 */
export async function growingSteps(sql: Sql, { statement, parameters }: IssuedStatement): Promise<string[]> {
  if (sql.dialect === "sqlite") {
    const steps = await sql.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, parameters);
    return steps.map(({ detail }) => detail).filter(growsOnSqlite);
  }
  const steps = await sql.query<MySqlStep>(`EXPLAIN ${statement}`, parameters);
  return steps.filter(growsOnMySql).map((step) => JSON.stringify(step));
}

/** The bounded list of index entries that a count goes over is called so. */
const BOUNDED_COUNT = "SCAN bounded";

function growsOnSqlite(detail: string): boolean {
  return /SCAN|TEMP B-TREE/.test(detail) && detail !== BOUNDED_COUNT;
}

function growsOnMySql({ table, type, Extra }: MySqlStep): boolean {
  // No table, or <union1,2> and <derived2>: what a LIMIT has cut.
  if (table === null || table.startsWith("<")) return false;
  return type === "ALL" || type === "index" || /filesort|temporary/.test(Extra ?? "");
}

/** How many rows of tables MariaDB reads for a statement, the rows of a merged page left out. */
export async function rowsRead(sql: Sql, { statement, parameters }: IssuedStatement): Promise<number> {
  const steps = await sql.query<MySqlStep>(`ANALYZE ${statement}`, parameters);
  return steps
    .filter(({ table }) => table !== null && !table.startsWith("<"))
    .reduce((sum, { r_rows }) => sum + Number(r_rows ?? 0), 0);
}

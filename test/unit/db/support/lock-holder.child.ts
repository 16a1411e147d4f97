/**
 * A process that holds the write lock of a SQLite file, as an operator's command does, until its standard
 * input ends. Before it lets go it commits a setting of its own.
 *
 * Usage: node lock-holder.child.ts <file>
 */
import { once } from "node:events";
import Database from "better-sqlite3";

const [, , file = ""] = process.argv;
const database = new Database(file);
database.exec("BEGIN IMMEDIATE");
database.exec("INSERT INTO settings (name, value) VALUES ('holder', 'was here')");
process.stdout.write("locked\n");
process.stdin.resume();
await once(process.stdin, "end");
database.exec("COMMIT");
database.close();

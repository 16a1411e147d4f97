/**
 * A process that opens a database when its standard input ends, so that several can be told to at once.
 * It prints "ready" before, and "open" when the database has answered.
 *
 * Usage: node database-opener.child.ts <storage as JSON>
 */
import { once } from "node:events";
import { openDatabase } from "../../../../db/open-database.ts";

const [, , storage = ""] = process.argv;
process.stdout.write("ready\n");
process.stdin.resume();
await once(process.stdin, "end");
const database = await openDatabase(JSON.parse(storage));
await database.read.query("SELECT * FROM settings");
await database.transaction((transaction) => transaction.execute("DELETE FROM settings"));
process.stdout.write("open\n");
await database.close();

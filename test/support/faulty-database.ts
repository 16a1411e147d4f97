import type { Database } from "../../db/database.ts";

export class InjectedFault extends Error {}

/**
 * The same database, whose transactions break at the n-th statement, counted from 1. Where the work has one
 * statement less, it breaks after the last of them, right before the commit.
 */
export function breakAtStatement(database: Database, n: number): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        let count = 0;
        const step = () => {
          count += 1;
          if (count === n) throw new InjectedFault(`Statement ${n} was made to fail.`);
        };
        const result = await work({
          ...transaction,
          query: async (...statement) => {
            step();
            return await transaction.query(...statement);
          },
          execute: async (...statement) => {
            step();
            return await transaction.execute(...statement);
          },
        });
        step();
        return result;
      }),
  };
}

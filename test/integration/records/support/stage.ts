import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { dumpTables, type TableDump } from "../../../unit/services/records/support/table-dump.ts";
import { type Program, ScenarioRunner, type Stage } from "../../scenarios/scenario-runner.ts";
import { usual } from "../rows/usual.ts";
import { checkSuccess } from "./check-success.ts";
import { type EndpointName, endpointNames, endpoints } from "./endpoints.ts";
import type { Success } from "./scenario.ts";
import { newWorld, type World } from "./world.ts";

/** Where the rows of records are played. */
export const stage: Stage<EndpointName, World, Success, readonly NewRecord[], TableDump> = {
  names: endpointNames,
  endpoints,
  usual,
  usualActor: "editor",
  newWorld,
  idOf: ({ first }) => first,
  // The dispatcher takes events off that list by itself, whatever a request did.
  dump: async (sql, side) => ({ ...(await dumpTables(sql, side)), pending: [] }),
  checkSuccess,
};

export type Runner = ScenarioRunner<EndpointName, World, Success, readonly NewRecord[], TableDump>;

/** Plays them against a program. */
export function newRunner(program: Program): Runner {
  return new ScenarioRunner(stage, program);
}

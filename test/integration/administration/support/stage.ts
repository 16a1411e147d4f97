import { expect } from "@jest/globals";
import { type Program, ScenarioRunner, type Stage } from "../../scenarios/scenario-runner.ts";
import { usual } from "../rows/usual.ts";
import { checkSuccess } from "./check-success.ts";
import { dumpTables, type TableDump } from "./dump-tables.ts";
import { type EndpointName, endpointNames, endpoints, kindOf } from "./endpoints.ts";
import type { Success } from "./scenario.ts";
import { type Given, newWorld, SECRET, type World } from "./world.ts";

/** The endpoints of users, integrations and webhooks, as rows see them. */
export const area = { names: endpointNames, endpoints, usual };

type Runner = ScenarioRunner<EndpointName, World, Success, Given, TableDump>;

export type { Runner };

/**
 * Plays rows against a program.
 * @param hook where registrations are validated, by a server that says yes
 */
export function newRunner(program: Program, hook: string): Runner {
  const stage: Stage<EndpointName, World, Success, Given, TableDump> = {
    ...area,
    usualActor: "admin",
    newWorld: (broker, given) => newWorld(broker, hook, given),
    idOf: ({ own }, at) => own[kindOf(at)],
    dump: dumpTables,
    checkSuccess,
    checkAlways(answer, after) {
      expect(answer.text).not.toContain(SECRET);
      expect(JSON.stringify(after)).not.toContain(SECRET);
    },
  };
  return new ScenarioRunner(stage, program);
}

/** Before anything is timed: both sides must give the same answers, else a ratio of them says nothing. */
import { readFileSync } from "node:fs";
import { TYPE_NAMES } from "./records.ts";
import type { ExpectedAnswer, Scenario } from "./scenarios.ts";
import type { Answer } from "./servers.ts";
import { kindFor, type Subject, withSubject } from "./subjects.ts";

const RECORD_MEMBERS = "created_at,fields,id,name,status,tags,type,updated_at";

/** Throws when a server that takes part in a scenario answers otherwise than expected. Writes do write. */
export async function checkAnswer(scenario: Scenario, subject: Subject, selfTest: boolean): Promise<void> {
  if (subject.kind !== kindFor(subject.side, scenario, selfTest)) return;
  const [id = ""] = readFileSync(subject.store.idsPath, "utf8").split("\n", 1);
  const [request] = scenario.requests([id]);
  if (request === undefined) throw new Error(`${scenario.name} has no requests`);
  const answer = await withSubject(subject, () => subject.server.ask(request));
  const fault = faultOf(answer, scenario.expected);
  if (fault !== undefined) {
    throw new Error(`${subject.kind} at ${subject.size} records, ${scenario.name}: ${fault}`);
  }
}

/** Throws when the stores of one size do not hold the same numbers of records of each type. */
export async function checkTotals(subjects: readonly Subject[]): Promise<void> {
  const totalsBySize = new Map<number, string>();
  for (const subject of subjects) {
    const totals = (await withSubject(subject, () => totalsOf(subject))).join(", ");
    const known = totalsBySize.get(subject.size) ?? totals;
    totalsBySize.set(subject.size, known);
    if (totals !== known) {
      throw new Error(
        `${subject.kind} holds ${totals} records by type and another server ${known}: delete bench/.data`,
      );
    }
  }
}

async function totalsOf(subject: Subject): Promise<number[]> {
  const totals: number[] = [];
  for (const type of TYPE_NAMES) {
    const answer = await subject.server.ask({
      method: "GET",
      path: `/v1/data?type=${type}&status=active&per_page=1`,
    });
    totals.push(Number(members(members(answer.body).meta).total));
  }
  const sum = totals.reduce((all, total) => all + total, 0);
  if (sum !== subject.size) throw new Error(`${subject.kind} holds ${sum} records, not ${subject.size}`);
  return totals;
}

function faultOf(answer: Answer, expected: ExpectedAnswer): string | undefined {
  if (answer.status !== expected.status) return `status ${answer.status}, ${JSON.stringify(answer.body)}`;
  const { success, data, meta } = members(answer.body);
  if (success !== true) return "success is not true";
  const items = Array.isArray(data) ? data : [data];
  if (expected.items !== undefined && items.length !== expected.items) return `${items.length} items`;
  const odd = items.map(memberNames).find((names) => names !== RECORD_MEMBERS);
  if (odd !== undefined) return `a record has the members ${odd}`;
  const wrong = Object.entries(expected.meta ?? {}).find(
    ([name, value]) => !(name in members(meta)) || (value !== "any" && members(meta)[name] !== value),
  );
  return wrong && `meta.${wrong[0]} is ${JSON.stringify(members(meta)[wrong[0]])}`;
}

function memberNames(item: unknown): string {
  return Object.keys(members(item)).sort().join(",");
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

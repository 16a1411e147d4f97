import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { describeOnBothDatabases } from "../../support/databases.ts";
import type { Side } from "../scenarios/sides.ts";
import { Nodes, race } from "./support/race.ts";

/** Workspaces in which the same race is run at the same time. */
const ARENAS = 4;

const acts = {
  demotes: { method: "PATCH", body: { role: "viewer" }, won: 200, event: [] },
  deactivates: { method: "PATCH", body: { status: "inactive" }, won: 200, event: [] },
  deletes: { method: "DELETE", body: undefined, won: 204, event: ["user.removed"] },
} as const;
type Act = keyof typeof acts;
const allActs: readonly Act[] = ["demotes", "deactivates", "deletes"];

/**
 * How one who came second may be refused. Whoever is let in as an admin, because the first has not changed
 * them yet or their node has not heard of it, is refused by what the database says: 409. Who comes so late
 * that the key is judged after the change is refused before that: the key opens nothing (401), or no such thing
 * any more (403). Their own change must not succeed in either case.
 */
const late: Readonly<Record<Act, string>> = {
  demotes: "403 forbidden",
  deactivates: "401 unauthorized",
  deletes: "401 unauthorized",
};

/** An admin of the two, what they do, and to whom. */
interface Racer {
  readonly key: string;
  readonly act: Act;
  readonly target: string;
}

describeOnBothDatabases("the last two admins, taken away at once,", (_open, freshStorage) => {
  let nodes: Nodes;

  beforeAll(async () => {
    nodes = await Nodes.start(freshStorage);
  });

  afterAll(async () => {
    await nodes?.stop();
  });

  afterEach(() => {
    expect(nodes.log).toEqual([]);
  });

  /** A workspace whose two admins are known to the gateways that they ask. */
  const newArena = async () => {
    const side = await nodes.newSide();
    const { admin, editor } = side.keys;
    const body = { role: "admin" };
    const promotion = { key: admin, body };
    expect((await nodes.send(0, "PATCH", `/v1/users/${side.users.editor}`, promotion)).status).toBe(200);
    const keys = [admin, editor] as const;
    await race(2, (turn) => nodes.send(turn, "GET", "/v1/users", { key: keys[turn] ?? null }));
    return side;
  };

  const fight = async (side: Side, racers: readonly [Racer, Racer], refusals: (won: Act) => string[]) => {
    const answers = await Promise.all(
      racers.map(({ key, act, target }, turn) =>
        nodes.send(turn, acts[act].method, `/v1/users/${target}`, { key, body: acts[act].body }),
      ),
    );
    const outcomes = answers.map((answer, at) => ({ answer, racer: racers[at] ?? racers[0] }));
    const [winner, ...others] = outcomes.filter(({ answer, racer }) => answer.status === acts[racer.act].won);
    expect(others).toEqual([]);
    if (!winner) throw new Error(`Both were refused: ${answers.map(({ text }) => text).join(" ")}`);
    const { act, target } = winner.racer;
    const [loser] = answers.filter((answer) => answer !== winner.answer);
    expect(refusals(act)).toContain(`${loser?.status} ${loser?.body.error.code}`);

    const [one, ...more] = (await nodes.dump(side)).users.filter(
      ({ role, status }) => role === "admin" && status === "active",
    );
    expect(more).toEqual([]);
    expect(one?.id).not.toBe(target);
    expect(await nodes.told(side)).toEqual(acts[act].event.map((event) => [event, target]));
    // Whoever is left is counted, and can act.
    const key = one?.id === side.users.admin ? side.keys.admin : side.keys.editor;
    const list = await nodes.send(0, "GET", "/v1/users?role=admin&status=active", { key });
    expect([list.status, list.body.meta.total]).toEqual([200, 1]);
  };

  const pairs = allActs.flatMap((first, at) => allActs.slice(at).map((second) => ({ first, second })));

  test.each(pairs)("leave one where one $first the other, who $second them", async ({ first, second }) => {
    await race(ARENAS, async () => {
      const side = await newArena();
      const one = { key: side.keys.admin, act: first, target: side.users.editor };
      const other = { key: side.keys.editor, act: second, target: side.users.admin };
      await fight(side, [one, other], (won) => ["409 conflict", late[won]]);
    });
  });

  test.each(pairs)("leave one where one $first and one $second themselves", async ({ first, second }) => {
    await race(ARENAS, async () => {
      const side = await newArena();
      const one = { key: side.keys.admin, act: first, target: side.users.admin };
      const other = { key: side.keys.editor, act: second, target: side.users.editor };
      // The other's own access is what it was: nothing but the conflict can refuse them.
      await fight(side, [one, other], () => ["409 conflict"]);
    });
  });
});

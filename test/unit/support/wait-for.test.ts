import { describe, expect, test } from "@jest/globals";
import { waitFor } from "../../support/wait-for.ts";

describe("waitFor", () => {
  test("returns the first truthy answer", async () => {
    const answers = [undefined, null, 0, "", false, "ready"];
    expect(await waitFor(() => answers.shift(), { what: "an answer" })).toBe("ready");
    expect(answers).toEqual([]);
  });

  test("asks again after a condition that throws or rejects", async () => {
    let asked = 0;
    const condition = () => {
      asked += 1;
      if (asked === 1) throw new Error("too early");
      return asked === 2 ? Promise.reject(new Error("still too early")) : Promise.resolve(asked);
    };
    expect(await waitFor(condition, { what: "the third question" })).toBe(3);
  });

  test("says what was awaited, and for how long", async () => {
    const waiting = waitFor(() => false, { timeoutMs: 20, what: "the row to appear" });
    await expect(waiting).rejects.toThrow("Waited 20 ms for the row to appear, in vain.");
  });

  test("says the last error, and keeps it as the cause", async () => {
    const cause = new Error("connect ECONNREFUSED");
    const waiting = waitFor(() => Promise.reject(cause), { timeoutMs: 20, what: "the port" });
    await expect(waiting).rejects.toThrow(
      "Waited 20 ms for the port, in vain; the last error was: connect ECONN",
    );
    await expect(waiting).rejects.toHaveProperty("cause", cause);
  });

  test("gives up on a condition that never settles", async () => {
    const waiting = waitFor(() => new Promise<boolean>(() => {}), { timeoutMs: 20, what: "an answer" });
    await expect(waiting).rejects.toThrow("Waited 20 ms for an answer, in vain.");
  });
});

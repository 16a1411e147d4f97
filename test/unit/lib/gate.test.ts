import { describe, expect, test } from "@jest/globals";
import { Gate } from "../../../lib/gate.ts";

describe("a gate with two places", () => {
  test("lets two in, and another each time that one leaves, in the order in which they came", async () => {
    const gate = new Gate(2);
    const entered: string[] = [];
    const visits = ["a", "b", "c", "d"].map((name) => {
      const leave = Promise.withResolvers<string>();
      const done = gate.run(() => {
        entered.push(name);
        return leave.promise;
      });
      return { done, leave };
    });
    expect(entered).toEqual(["a", "b"]);
    visits[1]?.leave.resolve("B");
    expect(await visits[1]?.done).toBe("B");
    expect(entered).toEqual(["a", "b", "c"]);
    visits[0]?.leave.reject(new Error("A failed"));
    await expect(visits[0]?.done).rejects.toThrow("A failed");
    expect(entered).toEqual(["a", "b", "c", "d"]);
    for (const { leave } of visits.slice(2)) leave.resolve("");
    await Promise.all(visits.slice(2).map(({ done }) => done));
    expect(await gate.run(async () => "empty again")).toBe("empty again");
  });
});

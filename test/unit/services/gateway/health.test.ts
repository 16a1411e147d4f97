import { describe, expect, jest, test } from "@jest/globals";
import { Readiness } from "../../../../services/gateway/health.ts";

describe("Readiness", () => {
  test("resolves where all answers", async () => {
    await expect(new Readiness(async () => {}).check()).resolves.toBeUndefined();
  });

  test("is unavailable where something fails, with the reason for the log", async () => {
    const reason = new Error("no database");
    const readiness = new Readiness(() => Promise.reject(reason));
    await expect(readiness.check()).rejects.toMatchObject({ errorCode: "unavailable", cause: reason });
  });

  test("is unavailable where something does not answer in time", async () => {
    const readiness = new Readiness(() => new Promise(() => {}), 1);
    await expect(readiness.check()).rejects.toMatchObject({
      errorCode: "unavailable",
      cause: new Error("No answer within 1 ms."),
    });
  });

  test("who comes while a question is open shares it; then it is asked anew", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ask = jest.fn(() => gates[ask.mock.calls.length - 1]?.promise ?? Promise.resolve());
    const readiness = new Readiness(ask);
    const both = [readiness.check(), readiness.check()];
    expect(ask).toHaveBeenCalledTimes(1);
    gates[0]?.resolve();
    await Promise.all(both);
    const third = readiness.check();
    expect(ask).toHaveBeenCalledTimes(2);
    gates[1]?.resolve();
    await third;
  });
});

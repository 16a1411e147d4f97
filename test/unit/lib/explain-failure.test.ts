import { describe, expect, test } from "@jest/globals";
import { ConfigError } from "../../../lib/config.ts";
import { invalidMember, unavailable } from "../../../lib/errors.ts";
import { explainFailure } from "../../../lib/explain-failure.ts";

describe("explainFailure", () => {
  test.each<[string, unknown, string]>([
    ["a setting", new ConfigError("PORT must be a whole number."), "PORT must be a whole number."],
    [
      "an error for users",
      invalidMember("email", "is required"),
      "The request is not valid: email is required.",
    ],
    [
      "a silent database",
      unavailable(new Error("connect ECONNREFUSED 127.0.0.1:1")),
      "The database does not answer: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      "a silent database with several addresses",
      unavailable(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })),
      "The database does not answer: ECONNREFUSED",
    ],
    ["a silent database without a reason", unavailable("gone"), "The database does not answer: gone"],
    [
      "the system",
      Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" }),
      "ENOSPC: no space left",
    ],
    ["no error", "text", "text"],
  ])("%s is a sentence", (_, error, sentence) => {
    expect(explainFailure(error)).toBe(sentence);
  });

  test("a defect shows where it is", () => {
    expect(explainFailure(new Error("oops"))).toMatch(/^Error: oops\n +at .+explain-failure\.test\.ts/);
  });
});

import { expect } from "@jest/globals";
import type { HttpAnswer } from "../../support/http.ts";
import type { Refusal } from "./scenario.ts";

/** An error has its status, its code and the members at fault, in the one shape that errors have. */
export function checkRefusal(answer: HttpAnswer, { status, code, paths, says = [], headers = {} }: Refusal) {
  const error = {
    code,
    message: expect.any(String),
    ...(paths ? { details: paths.map((path) => ({ path, message: expect.any(String) })) } : {}),
    request_id: answer.headers["x-request-id"],
  };
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: { success: false, error },
  });
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  for (const text of says) expect(answer.body.error.message).toContain(text);
  for (const [name, value] of Object.entries(headers)) {
    expect(answer.headers[name]).toEqual(typeof value === "string" ? value : expect.stringMatching(value));
  }
}

import { expect } from "@jest/globals";
import type { HttpAnswer } from "./http.ts";

/** Refusals carry the one shape of errors, and what every answer carries. */
export function expectRefusal(answer: HttpAnswer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
  expect(answer.body.success).toBe(false);
  expect(answer.body.error.message).toMatch(/\w/);
  expect(answer.body.error.request_id).toBe(answer.headers["x-request-id"]);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
}

import { expect, test } from "@jest/globals";
import { readSince } from "../../../../services/deliveries/since.ts";

test.each([
  ["2026-11-21T03:48:11.966Z", "2026-11-21T03:48:11.966Z"],
  ["2026-11-21T03:48:11Z", "2026-11-21T03:48:11.000Z"],
  ["2026-11-21T03:48Z", "2026-11-21T03:48:00.000Z"],
  ["2026-11-21T03:48:11+01:30", "2026-11-21T02:18:11.000Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
])("%s is a time", (text, expected) => {
  expect(new Date(readSince(text)).toISOString()).toBe(expected);
});

test.each([
  "",
  "yesterday",
  "1795219200000",
  "2026-11-21",
  "2026-11-21T03:48:11",
  "21 Nov 2026 03:48:11 GMT",
  "2026-02-30T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-21T25:00:00Z",
  " 2026-11-21T03:48:11Z",
])("%j is none", (text) => {
  const details = [{ path: "since", message: expect.stringMatching(/^must be an ISO 8601 timestamp/) }];
  const refused = expect.objectContaining({ errorCode: "invalid_request", details });
  expect(() => readSince(text)).toThrow(refused);
});

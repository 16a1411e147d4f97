import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { userAgent } from "../../../lib/user-agent.ts";

test("the program calls itself by the name and version of its package", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  expect(userAgent).toBe(`${manifest.name}/${manifest.version}`);
  expect(userAgent).toMatch(/^[\w-]+\/\d+\.\d+\.\d+$/);
});

import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { trustTestAuthority } from "../../../../support/test-authority.ts";

/**
 * Lets a suite trust the tests' authority.
 * @returns what ends the things that a test starts: push it there, and it is called behind the test, last first
 */
export function trustedSuite(): (() => unknown)[] {
  const ends: (() => unknown)[] = [];
  let undoTrust: () => void;
  beforeAll(async () => {
    undoTrust = await trustTestAuthority();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => undoTrust());
  return ends;
}

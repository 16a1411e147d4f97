import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { loadServices } from "../../../admin/local-services.ts";
import { knownServices } from "../../../services/known-services.ts";

/** Whether a service asks for the node's secret key, by its source. */
function asksForKey(name: string): boolean {
  const file = new URL(`../../../services/${name}/${name}.service.ts`, import.meta.url);
  return readFileSync(file, "utf8").includes("cipherOf(");
}

test("every service that asks for the secret key says so in its metadata, and no other", async () => {
  const names = knownServices();
  const schemas = await loadServices(names);
  const sealing = schemas.filter(({ metadata }) => metadata?.sealsSecrets === true).map(({ name }) => name);
  expect(sealing).toEqual(names.filter(asksForKey));
  expect(sealing).toContain("secrets");
});

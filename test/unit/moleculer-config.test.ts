import { describe, expect, jest, test } from "@jest/globals";
import options from "../../moleculer.config.ts";
import { type Environment, withEnvironment } from "../support/environment.ts";

/** What the program says before it ends because of its settings. */
function complaintOf(environment: Environment): string {
  const said: string[] = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  jest.spyOn(process, "exit").mockImplementation(() => {
    throw new Error("The program has ended.");
  });
  expect(() => withEnvironment(environment, options)).toThrow("The program has ended.");
  jest.restoreAllMocks();
  return said.join("");
}

describe("SERVICES", () => {
  test("must name services that there are", () => {
    expect(complaintOf({ SERVICES: "records,recrods" })).toMatch(
      /^SERVICES names recrods, and there are deliveries, .*gateway, .*records.*workspaces\.\n$/,
    );
    expect(complaintOf({ SERVICES: "gateway," })).toMatch(/^SERVICES names an empty name, /);
  });

  test("must name the gateway where the process is alone", () => {
    expect(complaintOf({ SERVICES: "records,keys" })).toBe(
      "SERVICES must name gateway where there is no TRANSPORTER: nothing else lets requests in.\n",
    );
    expect(withEnvironment({ SERVICES: "gateway,keys" }, options)).toMatchObject({ transporter: null });
  });

  test("may leave it out where TRANSPORTER connects the process with others", () => {
    const cluster = { SERVICES: "records,keys", TRANSPORTER: "nats://user:password@queue" };
    expect(withEnvironment(cluster, options)).toMatchObject({
      transporter: { type: "NATS", options: { url: "nats://user:password@queue" } },
    });
  });
});

import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { describeOverload, useApp } from "../scenarios/describe-overload.ts";
import { titleOf } from "../scenarios/scenario.ts";
import { fullRows } from "./rows/webhook-limit.ts";
import { type Hook, startHook } from "./support/hook.ts";
import { area, newRunner, type Runner } from "./support/stage.ts";

let hook: Hook;

beforeAll(async () => {
  hook = await startHook();
});

afterAll(async () => {
  await hook.stop();
});

describe("a workspace that has all the registrations that it may", () => {
  let runner: Runner;
  useApp(
    async () => ({ env: { ...hook.env, WEBHOOK_LIMIT: "2" } }),
    (app) => {
      runner = newRunner(app, hook.url);
    },
  );

  for (const row of fullRows) test(titleOf(row), () => runner.run(row));
});

describeOverload({
  area,
  reading: "GET /v1/users",
  readingPath: "/v1/users",
  env: () => hook.env,
  newRunner: (app) => newRunner(app, hook.url),
});

import { expect, test } from "@jest/globals";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import type { IntegrationResource } from "../../../services/integrations/integration.schema.ts";
import { startApp } from "../../support/app.ts";
import { everythingIn } from "../../support/databases.ts";
import { request } from "../../support/http.ts";

const SECRET = "xoxb-0123456789-very-secret";
const SECRET_URL = `https://hooks.example/${SECRET}`;

test("a credential is in no answer, no row and no line of the log, whatever is done with it", async () => {
  const app = await startApp({ env: { LOG_LEVEL: "trace" } });
  try {
    const texts: string[] = [];
    const send = async (method: string, path: string, status: number, body?: object, headers = {}) => {
      const answer = await request<IntegrationResource>(app, method, path, { body, headers });
      expect({ method, path, status: answer.status }).toEqual({ method, path, status });
      texts.push(answer.text, JSON.stringify(answer.headers));
      return answer.body.data;
    };
    const connect = (status: number, type: string, config: object, headers = {}) =>
      send("POST", "/v1/integrations", status, { type, config }, headers);

    const slack = { channel: "#general", bot_token: SECRET };
    const repeated = { "Idempotency-Key": "connect-slack" };
    const { id } = await connect(201, "slack", slack, repeated);
    await connect(201, "slack", slack, repeated);
    await connect(201, "zapier", { hook_url: SECRET_URL });
    await connect(409, "slack", slack);
    await connect(422, "discord", { webhook_url: SECRET_URL.replace("https", "http") });
    await connect(422, "discord", { webhook_url: SECRET_URL, bot_token: SECRET });
    await connect(422, "slack", { ...slack, events: [SECRET], channel: 7 });
    await connect(400, "slack", { ...slack, bot_token: SECRET.padEnd(2_000, "x") });
    await connect(400, SECRET, slack);
    await send("PATCH", `/v1/integrations/${id}`, 200, { config: { bot_token: `${SECRET}2` } });
    await send("PATCH", `/v1/integrations/${id}`, 422, { config: { bot_token: `${SECRET} 2` } });
    await send("GET", `/v1/integrations/${id}`, 200);
    await send("GET", "/v1/integrations", 200);
    texts.push(await everythingIn(databaseOf(app.broker)));
    await send("DELETE", `/v1/integrations/${id}`, 204);
    texts.push(await everythingIn(databaseOf(app.broker)), app.log.join("\n"));
    expect(texts.filter((text) => text.includes("very-secret"))).toEqual([]);
    expect(app.log.length).toBeGreaterThan(0);
  } finally {
    await app.stop();
  }
});

import { describe, expect, test } from "@jest/globals";
import { isAllowed, type Permission, roles } from "../../../lib/caller.ts";
import { errorStatuses } from "../../../lib/errors.ts";
import { settings } from "../../../lib/settings.ts";
import deliveriesService from "../../../services/deliveries/deliveries.service.ts";
import { routes } from "../../../services/gateway/routes.ts";
import { providers } from "../../../services/integrations/catalog.ts";
import { createIntegrationSchema } from "../../../services/integrations/integration.schema.ts";
import integrationsService from "../../../services/integrations/integrations.service.ts";
import { events as chatEvents } from "../../../services/integrations/providers/provider.ts";
import {
  createRecordSchema,
  MAX_BULK,
  MAX_FIELDS,
  MAX_RECORD_BYTES,
} from "../../../services/records/record.schema.ts";
import recordsService from "../../../services/records/records.service.ts";
import { createUserSchema } from "../../../services/users/user.schema.ts";
import usersService from "../../../services/users/users.service.ts";
import { createWebhookSchema } from "../../../services/webhooks/webhook.schema.ts";
import webhooksService from "../../../services/webhooks/webhooks.service.ts";
import { request } from "../../support/http.ts";
import { describeTour, readDocument } from "./support/describe-tour.ts";
import { tableRows } from "./support/markdown.ts";

const api = readDocument("docs/api.md");

describeTour("docs/api.md", {
  Records: async ({ program }) => {
    const body = { name: "A", type: "document", fields: { owner: "Ana" }, tags: ["finance"] };
    const { data } = (await request<object>(program, "POST", "/v1/data", { body })).body;
    return data;
  },
  Users: async ({ program }) => {
    const body = { email: "Ana@acme.example", name: "Ana", role: "editor" };
    return (await request<object>(program, "POST", "/v1/users", { body })).body.data;
  },
  Integrations: async ({ program }) => {
    const config = { channel: "#general", events: ["record.created"], bot_token: "xoxb-1" };
    const body = { type: "slack", config };
    return (await request<object>(program, "POST", "/v1/integrations", { body })).body.data;
  },
  Webhooks: async ({ program }) => {
    const events = ["record.created", "record.deleted"];
    const body = { url: `${program.receiver?.url}/hook`, events, secret: "hush" };
    return (await request<object>(program, "POST", "/v1/webhooks", { body })).body.data;
  },
  Errors: async ({ program }) => (await request(program, "POST", "/v1/data", { body: { name: "A" } })).body,
});

describe("docs/api.md", () => {
  test("has every endpoint, with the least role that may call it and the status of a success", () => {
    const documented = tableRows(api, ["Call", "Role", "Answer"]).map(([call, role, answer = ""]) => ({
      call,
      role,
      status: Number(answer.slice(0, 3)),
    }));
    const actual = routes.flatMap((route) =>
      "probe" in route
        ? []
        : [
            {
              call: `\`${route.method} ${route.path}\``,
              role: leastRole(permissionOf(route.action)),
              status: route.status,
            },
          ],
    );
    expect(documented.toSorted(byCall)).toEqual(actual.toSorted(byCall));
  });

  test("has every error code with its status, and no other", () => {
    const documented = tableRows(api, ["Status", "`code`", "When"]).map(([status, code]) => [code, status]);
    expect(documented.sort()).toEqual(
      Object.entries(errorStatuses)
        .map(([code, status]) => [`\`${code}\``, String(status)])
        .sort(),
    );
  });

  test("has the limits that the schemas have", () => {
    const documented = Object.fromEntries(
      tableRows(api, ["What", "Limit"]).map(([what = "", limit = ""]) => [what, numbersIn(limit)]),
    );
    const { name, type, tags, fields } = createRecordSchema.properties;
    const { url, events, secret } = createWebhookSchema.properties;
    expect(documented).toMatchObject({
      Name: [name.maxLength],
      Type: [type.maxLength],
      Tags: [tags.maxItems, tags.items.maxLength],
      Fields: [MAX_FIELDS, fields.propertyNames.maxKeyLength, fields.additionalProperties.maxLength],
      "A whole record": [MAX_RECORD_BYTES],
      Bulk: [MAX_BULK],
      Body: routes
        .flatMap((route) =>
          "probe" in route || route.maxBodyBytes === undefined ? [] : [route.maxBodyBytes],
        )
        .map((bytes) => bytes / 1024 ** 2)
        .filter((mib, at, all) => all.indexOf(mib) === at)
        .toSorted(),
      "Email address": [createUserSchema.properties.email.maxLength],
      Integration: [createIntegrationSchema.properties.config.maxProperties, chatEvents.maxItems],
      Webhook: [url.maxLength, events.maxItems, secret.maxLength],
      Webhooks: [Number(settings.webhooks.limit.fallback)],
      "Page depth": [100_000],
    });
  });
});

describe("the table of integration types in docs/api.md", () => {
  const documented = tableRows(api, [
    "Type",
    "Name",
    "Required in `config`",
    "Optional in `config`",
    "Status when connected",
  ]);
  const code = (name: string) => `\`${name}\``;

  test("is the catalog", () => {
    const actual = providers.map(({ type, name, auth, config }) => {
      const { properties, required } = config;
      const isRequired = (key: string) => required.includes(key);
      const keys = Object.keys(properties);
      return [
        code(type),
        name,
        keys.filter(isRequired).map(code).join(", "),
        keys
          .filter((key) => !isRequired(key))
          .map(code)
          .join(", "),
        code(auth === "oauth" ? "pending_auth" : "connected"),
      ];
    });
    expect(documented.toSorted()).toEqual(actual.toSorted());
  });

  test("is followed by a sentence that names every credential", () => {
    const [sentence = ""] = /^.* are credentials:/m.exec(api) ?? [];
    const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named).toEqual(providers.flatMap(({ credentials }) => credentials).toSorted());
  });
});

const byCall = (left: { call?: string }, right: { call?: string }) =>
  (left.call ?? "") < (right.call ?? "") ? -1 : 1;

const services = [recordsService, usersService, integrationsService, webhooksService, deliveriesService];

function permissionOf(actionName: string): Permission {
  const [serviceName, name = ""] = actionName.split(".");
  const action: unknown = services.find((service) => service.name === serviceName)?.actions?.[name];
  if (typeof action !== "object" || action === null || !("permission" in action)) {
    throw new Error(`${actionName} declares no permission.`);
  }
  const { permission } = action;
  if (permission !== "read" && permission !== "writeRecords" && permission !== "administer") {
    throw new Error(`${actionName} has a permission that no role carries.`);
  }
  return permission;
}

function leastRole(permission: Permission): string {
  return `${roles.find((role) => isAllowed(role, permission))}`;
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(",", "")));
}

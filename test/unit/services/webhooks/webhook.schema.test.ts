import { describe, expect, test } from "@jest/globals";
import { eventNames } from "../../../../lib/event-names.ts";
import { compileCheck } from "../../../../lib/validator.ts";
import { createWebhookSchema, listWebhooksSchema } from "../../../../services/webhooks/webhook.schema.ts";
import { usual } from "./support/test-webhooks.ts";

const checkCreate = compileCheck(createWebhookSchema);
const checkList = compileCheck(listWebhooksSchema);

const urlOf = (length: number) => `https://receiver.test/${"x".repeat(length)}`.slice(0, length);
const notHttps = "must be an https:// URL without user or password";
const notStorable = "must not have U+0000 or half of a surrogate pair";
const notKnown = `must be one of ${eventNames.join(", ")}, *`;

describe("a registration is valid with", () => {
  test.each<[string, object]>([
    ["the usual members", {}],
    ["an IPv4 address and a port", { url: "https://203.0.113.9:8443/a?b=c" }],
    ["an IPv6 address", { url: "https://[2001:db8::1]/" }],
    ["a host alone", { url: "https://receiver.test" }],
    ["an international name", { url: "https://bücher.example/ü" }],
    ["a url of 2,048 characters", { url: urlOf(2_048) }],
    ["every event", { events: [...eventNames] }],
    ["* alone", { events: ["*"] }],
    ["* beside names, and names twice", { events: ["record.created", "*", "record.created"] }],
    ["20 events", { events: Array(20).fill("user.removed") }],
    ["a secret of 1 character", { secret: "\u{1f511}" }],
    ["a secret of 255 characters", { secret: "\u{1f511}".repeat(255) }],
  ])("%s", (_, members) => {
    expect(checkCreate({ ...usual, ...members })).toBeUndefined();
  });
});

describe("a registration is refused with 400 for", () => {
  test.each<[string, object, string, string]>([
    ["no url", { url: undefined }, "url", "is required"],
    ["null for a url", { url: null }, "url", "must be a string"],
    ["a number for a url", { url: 1 }, "url", "must be a string"],
    ["an empty url", { url: "" }, "url", notHttps],
    ["plain http", { url: "http://receiver.test/" }, "url", notHttps],
    ["another scheme", { url: "ftp://receiver.test/" }, "url", notHttps],
    ["no scheme", { url: "receiver.test/hook" }, "url", notHttps],
    ["no host", { url: "https://" }, "url", notHttps],
    ["a path for a host", { url: "https:///hook" }, "url", notHttps],
    ["an impossible port", { url: "https://receiver.test:99999/" }, "url", notHttps],
    ["an impossible address", { url: "https://[::1/" }, "url", notHttps],
    ["a space in the host", { url: "https://receiver test/" }, "url", notHttps],
    ["a user", { url: "https://user@receiver.test/" }, "url", notHttps],
    ["a user and password", { url: "https://user:pass@receiver.test/" }, "url", notHttps],
    ["an empty user", { url: "https://@receiver.test/" }, "url", notHttps],
    ["a password alone", { url: "https://:pass@receiver.test/" }, "url", notHttps],
    ["a space before the url", { url: ` ${usual.url}` }, "url", notHttps],
    ["a line break in the url", { url: `${usual.url}\r\nX: y` }, "url", notHttps],
    ["U+0000 in the url", { url: `${usual.url}\u0000` }, "url", notHttps],
    ["half of a surrogate pair in the url", { url: `${usual.url}\ud800` }, "url", notHttps],
    ["a url of 2,049 characters", { url: urlOf(2_049) }, "url", "must have at most 2048 characters"],
    ["no events", { events: undefined }, "events", "is required"],
    ["null for events", { events: null }, "events", "must be an array"],
    ["a name for events", { events: "record.created" }, "events", "must be an array"],
    ["an empty list of events", { events: [] }, "events", "must not be empty"],
    ["21 events", { events: Array(21).fill("*") }, "events", "must have at most 20 items"],
    ["an unknown event", { events: ["*", "record.moved"] }, "events.1", notKnown],
    ["the validation's event", { events: ["webhook.validation"] }, "events.0", notKnown],
    ["an event in capitals", { events: ["Record.Created"] }, "events.0", notKnown],
    ["null among the events", { events: [null] }, "events.0", "must be a string"],
    ["null for a secret", { secret: null }, "secret", "must be a string"],
    ["a number for a secret", { secret: 12345678 }, "secret", "must be a string"],
    ["an empty secret", { secret: "" }, "secret", "must not be empty"],
    ["a secret of 256 characters", { secret: "s".repeat(256) }, "secret", "must have at most 255 characters"],
    ["U+0000 in the secret", { secret: "a\u0000b" }, "secret", notStorable],
    ["half of a surrogate pair in the secret", { secret: "a\udc00" }, "secret", notStorable],
    ["an unknown member", { status: "active" }, "status", "is not known here"],
  ])("%s", (_, members, path, message) => {
    const params = Object.entries({ ...usual, ...members }).filter(([, value]) => value !== undefined);
    const fault = checkCreate(Object.fromEntries(params));
    expect(fault).toMatchObject({ errorCode: "invalid_request" });
    expect(fault?.details).toContainEqual({ path, message });
    expect(new Set(fault?.details.map((detail) => detail.path))).toEqual(new Set([path]));
  });

  test("what the message does not repeat: the secret", () => {
    const fault = checkCreate({ ...usual, secret: "s3cret\u0000" });
    expect(JSON.stringify([fault?.message, fault?.data])).not.toContain("s3cret");
  });
});

describe("a list's parameters", () => {
  test.each([{}, { page: 1 }, { per_page: 1_000 }, { page: 2, per_page: 5 }])("%j are valid", (params) => {
    expect(checkList(params)).toBeUndefined();
  });

  test.each([
    [{ page: 0 }, "page"],
    [{ per_page: 0 }, "per_page"],
    [{ page: "x" }, "page"],
    [{ per_page: 1.5 }, "per_page"],
    [{ status: "active" }, "status"],
    [{ cursor: "abc" }, "cursor"],
  ])("%j are refused with 400", (params, path) => {
    expect(checkList(params)).toMatchObject({ errorCode: "invalid_request", details: [{ path }] });
  });
});

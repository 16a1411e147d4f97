import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, jest, test } from "@jest/globals";
import { hashApiKey, newApiKey } from "../../../../lib/api-key.ts";
import type { Caller } from "../../../../lib/caller.ts";
import { ServiceError } from "../../../../lib/errors.ts";
import { Authenticator, type KeyLookUp } from "../../../../services/gateway/authenticator.ts";

const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "admin" };

function requestWith(...rawHeaders: string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = rawHeaders;
  const at = rawHeaders.findIndex((name) => name.toLowerCase() === "authorization");
  if (at !== -1) request.headers.authorization = rawHeaders[at + 1];
  return request;
}

const showing = (key: string) => requestWith("Authorization", `Bearer ${key}`);

function setUp({ bootstrapApiKey }: { bootstrapApiKey?: string } = {}) {
  const clock = { nowMs: 0 };
  const lookUp = jest.fn<KeyLookUp>(async () => caller);
  const authenticator = new Authenticator({ lookUp, bootstrapApiKey, nowMs: () => clock.nowMs });
  return { clock, lookUp, authenticator };
}

/** What a look-up is made of whose answer the test gives when it likes. */
function deferred() {
  return Promise.withResolvers<Caller | null>();
}

async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.errorCode : error;
  }
}

describe("Authenticator", () => {
  const key = newApiKey();

  test.each([
    ["as documented", `Bearer ${key}`],
    ["the scheme in another case", `bEARER ${key}`],
    ["several spaces", `Bearer   ${key}`],
  ])("takes a key: %s", async (_, header) => {
    const { authenticator, lookUp } = setUp();
    await expect(authenticator.authenticate(requestWith("authorization", header), "r1")).resolves.toBe(
      caller,
    );
    expect(lookUp).toHaveBeenCalledWith(hashApiKey(key), "r1");
  });

  test.each([
    ["no header", []],
    ["an empty one", ["Authorization", ""]],
    ["the scheme alone", ["Authorization", "Bearer"]],
    ["the key alone", ["Authorization", key]],
    ["another scheme", ["Authorization", `Basic ${key}`]],
    ["no space", ["Authorization", `Bearer${key}`]],
    ["two headers", ["Authorization", `Bearer ${key}`, "authorization", `Bearer ${key}`]],
    ["letters beyond ASCII", ["Authorization", `Bearer ${key}é`]],
    ["a mistyped key", ["Authorization", `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`]],
  ])("refuses %s without a look-up", async (_, headers) => {
    const { authenticator, lookUp } = setUp();
    expect(await codeOf(() => authenticator.authenticate(requestWith(...headers), "r1"))).toBe(
      "unauthorized",
    );
    expect(lookUp).not.toHaveBeenCalled();
  });

  test("a bootstrap key may look like a mistyped one", async () => {
    const bootstrapApiKey = `wds_${"a".repeat(49)}`;
    const { authenticator } = setUp({ bootstrapApiKey });
    await expect(authenticator.authenticate(showing(bootstrapApiKey), "r1")).resolves.toBe(caller);
    const similar = `wds_${"a".repeat(48)}b`;
    expect(await codeOf(() => authenticator.authenticate(showing(similar), "r1"))).toBe("unauthorized");
  });

  test("a known key is answered at once, until its time is over", async () => {
    const { authenticator, lookUp, clock } = setUp();
    await authenticator.authenticate(showing(key), "r1");
    clock.nowMs = 3_999;
    expect(authenticator.authenticate(showing(key), "r2")).toBe(caller);
    clock.nowMs = 4_000;
    await authenticator.authenticate(showing(key), "r3");
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  test("the time begins when the question is asked, not when the answer comes", async () => {
    const { authenticator, lookUp, clock } = setUp();
    const answer = deferred();
    lookUp.mockReturnValueOnce(answer.promise);
    const first = authenticator.authenticate(showing(key), "r1");
    clock.nowMs = 3_000;
    answer.resolve(caller);
    await first;
    clock.nowMs = 4_000;
    await authenticator.authenticate(showing(key), "r2");
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  test("a key that opens nothing is refused, and asked for again the next time", async () => {
    const { authenticator, lookUp } = setUp();
    lookUp.mockResolvedValueOnce(null);
    expect(await codeOf(() => authenticator.authenticate(showing(key), "r1"))).toBe("unauthorized");
    await expect(authenticator.authenticate(showing(key), "r2")).resolves.toBe(caller);
  });

  test("unknown keys cannot displace known ones", async () => {
    const { authenticator, lookUp } = setUp();
    await authenticator.authenticate(showing(key), "r1");
    lookUp.mockResolvedValue(null);
    for (let count = 0; count < 6_000; count += 1) {
      await codeOf(() => authenticator.authenticate(showing(`unknown-key-number-${count}`), "r"));
    }
    expect(authenticator.authenticate(showing(key), "r2")).toBe(caller);
  });

  test("requests at once with one key share one look-up", async () => {
    const { authenticator, lookUp } = setUp();
    const answer = deferred();
    lookUp.mockReturnValueOnce(answer.promise);
    const both = [1, 2].map((n) => authenticator.authenticate(showing(key), `r${n}`));
    answer.resolve(caller);
    await expect(Promise.all(both)).resolves.toEqual([caller, caller]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  test("a look-up that fails fails all who wait for it, and the next one is asked anew", async () => {
    const { authenticator, lookUp } = setUp();
    const answer = deferred();
    lookUp.mockReturnValueOnce(answer.promise);
    const both = [1, 2].map((n) => codeOf(() => authenticator.authenticate(showing(key), `r${n}`)));
    const failure = new Error("no answer");
    answer.reject(failure);
    expect(await Promise.all(both)).toEqual([failure, failure]);
    await expect(authenticator.authenticate(showing(key), "r3")).resolves.toBe(caller);
  });

  test("a change empties what is known", async () => {
    const { authenticator, lookUp } = setUp();
    await authenticator.authenticate(showing(key), "r1");
    authenticator.forget();
    lookUp.mockResolvedValueOnce(null);
    expect(await codeOf(() => authenticator.authenticate(showing(key), "r2"))).toBe("unauthorized");
  });

  test("what was asked before a change is not kept, nor shared with who comes after it", async () => {
    const { authenticator, lookUp } = setUp();
    const outdated = deferred();
    lookUp.mockReturnValueOnce(outdated.promise);
    const before = authenticator.authenticate(showing(key), "r1");
    authenticator.forget();
    lookUp.mockResolvedValue(null);
    expect(await codeOf(() => authenticator.authenticate(showing(key), "r2"))).toBe("unauthorized");
    outdated.resolve(caller);
    await expect(before).resolves.toBe(caller);
    expect(await codeOf(() => authenticator.authenticate(showing(key), "r3"))).toBe("unauthorized");
  });

  test("a look-up that was overtaken by a change does not end the one that follows it", async () => {
    const { authenticator, lookUp } = setUp();
    const outdated = deferred();
    const current = deferred();
    lookUp.mockReturnValueOnce(outdated.promise).mockReturnValueOnce(current.promise);
    const before = authenticator.authenticate(showing(key), "r1");
    authenticator.forget();
    const after = authenticator.authenticate(showing(key), "r2");
    outdated.resolve(caller);
    await before;
    const shared = authenticator.authenticate(showing(key), "r3");
    current.resolve(caller);
    await Promise.all([after, shared]);
    expect(lookUp).toHaveBeenCalledTimes(2);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { HostsFile, parseHosts } from "../../../../lib/outbound/hosts-file.ts";
import { nameResolver, type ResolveName } from "../../../../lib/outbound/name-resolver.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { failureOf, newClient, postTo, timersByHand } from "./support/client.ts";
import { type DnsServer, startDnsServer } from "./support/dns-server.ts";

let folder: string;
let dns: DnsServer;
let resolve: ResolveName;
const untold = () => new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hosts-"));
  const hosts = path.join(folder, "hosts");
  await writeFile(
    hosts,
    "127.0.0.7 Known.example # a comment\n::7\tknown.example other.example\nnonsense x\n",
  );
  dns = await startDnsServer({
    "A both.example": ["192.0.2.1", "192.0.2.2"],
    "AAAA both.example": ["2001:db8::1"],
    "A four.example": ["192.0.2.4"],
    "AAAA four.example": "none",
    "A six.example": "none",
    "AAAA six.example": ["2001:db8::6"],
    "A half.example": ["192.0.2.5"],
    "AAAA half.example": "silent",
    "A nothing.example": "none",
    "AAAA nothing.example": "none",
    "A silent.example": "silent",
    "AAAA silent.example": "silent",
    "A known.example": ["192.0.2.9"],
    "A inside.example": ["8.8.8.8"],
    "AAAA inside.example": ["fd00::1"],
  });
  resolve = nameResolver({ servers: [dns.server], hostsFile: new HostsFile(hosts), secondFamilyWaitMs: 20 });
});

afterAll(async () => {
  await dns?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("a look-up", () => {
  test("asks for both families, and gives IPv4 first", async () => {
    const patient = nameResolver({ servers: [dns.server], hostsFile: new HostsFile("/nowhere") });
    expect(await patient("both.example", untold())).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
    expect(dns.questions).toEqual(expect.arrayContaining(["A both.example", "AAAA both.example"]));
  });

  test.each([
    ["four.example", "192.0.2.4"],
    ["six.example", "2001:db8::6"],
    ["half.example", "192.0.2.5"],
  ])("of %s, which has one family only, gives %s", async (name, address) => {
    expect(await resolve(name, untold())).toEqual([address]);
  });

  test("gives what the hosts file says, and asks nobody", async () => {
    expect(await resolve("known.example", untold())).toEqual(["127.0.0.7", "::7"]);
    expect(dns.questions.filter((question) => question.endsWith("known.example"))).toEqual([]);
  });

  test.each(["nothing.example", "unknown.example"])("of %s rejects", async (name) => {
    await expect(resolve(name, untold())).rejects.toThrow();
  });

  test("that nobody answers ends with its signal", async () => {
    const ending = new AbortController();
    const asked = dns.questions.length;
    const looking = resolve("silent.example", ending.signal);
    await waitFor(() => dns.questions.length > asked, { what: "the question" });
    ending.abort();
    await expect(looking).rejects.toMatchObject({ errors: [{ code: "ECANCELLED" }, { code: "ECANCELLED" }] });
  });

  test("that is wanted no more asks nobody", async () => {
    const asked = dns.questions.length;
    await expect(resolve("both.example", AbortSignal.abort())).rejects.toThrow();
    expect(dns.questions).toHaveLength(asked);
  });
});

describe("a request", () => {
  test.each(["nothing.example", "unknown.example"])("to %s fails by name", async (name) => {
    const client = newClient({ resolve });
    expect(await failureOf(client.post(postTo(`https://${name}/`)))).toMatchObject({
      reason: "dns",
      message: "its name could not be resolved",
    });
  });

  test("to a name of which one family leads inside is refused", async () => {
    const patient = nameResolver({ servers: [dns.server], hostsFile: new HostsFile("/nowhere") });
    const client = newClient({ resolve: patient });
    const failure = await failureOf(client.post(postTo("https://inside.example/")));
    expect(failure).toMatchObject({ reason: "blocked" });
    expect(failure.message).not.toMatch(/\d|::/);
  });

  test("to a name that nobody answers for ends with the deadline", async () => {
    const timers = timersByHand();
    const client = newClient({ resolve, startTimer: timers.start });
    const asked = dns.questions.length;
    const failing = failureOf(client.post(postTo("https://silent.example/", { timeoutMs: 5000 })));
    await waitFor(() => dns.questions.length > asked, { what: "the question" });
    timers.endAll();
    expect(await failing).toMatchObject({
      reason: "timeout",
      message: "its name was not resolved within 5 seconds",
    });
    expect(timers.runningCount()).toBe(0);
  });
});

describe("the hosts file", () => {
  test("is read line by line, without comments, and names in lower case", () => {
    const text = "# 1.1.1.1 a\n127.0.0.1 A a b\r\n\n  ::1\tb  # c\nfe80::1%lo0 b\n300.0.0.1 b\n10.0.0.1\n";
    expect(Object.fromEntries(parseHosts(text))).toEqual({ a: ["127.0.0.1"], b: ["127.0.0.1", "::1"] });
  });

  test("is read anew after five seconds, and may be absent", async () => {
    let nowMs = 0;
    const file = path.join(folder, "changing");
    const hosts = new HostsFile(file, () => nowMs);
    expect(await hosts.addressesOf("a")).toEqual([]);
    await writeFile(file, "10.0.0.1 a\n");
    nowMs = 4999;
    expect(await hosts.addressesOf("a")).toEqual([]);
    nowMs = 5000;
    expect(await hosts.addressesOf("a")).toEqual(["10.0.0.1"]);
  });
});

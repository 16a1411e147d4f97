import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import {
  type Lockfile,
  missingOptionals,
  portableLockfile,
  portableText,
} from "../../../scripts/lockfile.ts";

const entry = {
  version: "1.2.3",
  resolved: "https://registry.example/a/-/a-1.2.3.tgz",
  integrity: "sha512-…",
  license: "MIT",
  engines: { node: ">=22" },
  dependencies: { b: "^1.0.0" },
};

function lockfile(packages: Lockfile["packages"]): Lockfile {
  return { packages };
}

describe("portableLockfile", () => {
  test("takes the registry's address and the engines from every package, and nothing else", () => {
    const { resolved, engines, ...kept } = entry;
    const { packages } = portableLockfile(
      lockfile({ "node_modules/a": entry, "node_modules/a/node_modules/b": entry }),
    );
    expect(packages).toEqual({ "node_modules/a": kept, "node_modules/a/node_modules/b": kept });
  });

  test("leaves the project's own entry and what stands beside the packages alone", () => {
    const own = { name: "ours", engines: { node: ">=24" } };
    const before = { lockfileVersion: 3, requires: true, packages: { "": own } };
    expect(portableLockfile(before)).toEqual(before);
  });

  test("says of better-sqlite3, and of no other, that it is not to be compiled", () => {
    const { packages } = portableLockfile(
      lockfile({ "node_modules/better-sqlite3": { gypfile: true }, "node_modules/a": { gypfile: true } }),
    );
    expect(packages).toEqual({ "node_modules/better-sqlite3": { gypfile: false }, "node_modules/a": {} });
  });

  test("keeps where a linked package is", () => {
    const link = { resolved: "packages/a", link: true };
    expect(portableLockfile(lockfile({ "node_modules/a": link })).packages["node_modules/a"]).toEqual(link);
  });

  test("changes nothing more the second time, to the letter", () => {
    const once = portableLockfile(
      lockfile({ "node_modules/better-sqlite3": entry, "node_modules/a": entry }),
    );
    expect(JSON.stringify(portableLockfile(once))).toBe(JSON.stringify(once));
  });
});

describe("missingOptionals", () => {
  const wanting = { optionalDependencies: { "@a/darwin": "1.2.3" } };

  test("names the optional dependencies without an entry", () => {
    expect(missingOptionals(lockfile({ "": {}, "node_modules/a": wanting }))).toEqual([
      "node_modules/a > @a/darwin@1.2.3",
    ]);
    expect(missingOptionals(lockfile({ "": wanting }))).toEqual([" > @a/darwin@1.2.3"]);
  });

  test.each([
    "node_modules/@x/a/node_modules/b/node_modules/@a/darwin",
    "node_modules/@x/a/node_modules/@a/darwin",
    "node_modules/@a/darwin",
  ])("finds one in %s", (folder) => {
    const packages = { "node_modules/@x/a/node_modules/b": wanting, [folder]: {} };
    expect(missingOptionals(lockfile(packages))).toEqual([]);
  });

  test("does not take another package's own for it", () => {
    const packages = { "node_modules/a": wanting, "node_modules/c/node_modules/@a/darwin": {} };
    expect(missingOptionals(lockfile(packages))).toHaveLength(1);
  });
});

describe("package-lock.json", () => {
  const committed = readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8");

  test("is in the form that installs anywhere", () => {
    expect(committed === portableText(committed)).toBe(true);
  });

  test("has an entry for every platform's binary", () => {
    expect(missingOptionals(JSON.parse(committed))).toEqual([]);
  });
});

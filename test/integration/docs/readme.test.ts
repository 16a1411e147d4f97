import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { allSettings } from "../../../lib/config.ts";
import { describeTour, readDocument } from "./support/describe-tour.ts";
import { tableRows } from "./support/markdown.ts";
import { projectRoot } from "./support/shell.ts";

describeTour("README.md");

describe("README.md", () => {
  test("has every setting in its table, with its default and its meaning, and no other", () => {
    const rows = tableRows(readDocument("README.md"), ["Name", "Default", "Meaning"]);
    const code = (text: string) => (text === "" ? "" : `\`${text}\``);
    expect(rows).toEqual(
      allSettings().map(({ env, fallback = "", doc }) => [code(env), code(fallback), doc]),
    );
  });
});

describe.each(["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/api.md"])("%s", (name) => {
  const text = readDocument(name);

  test("names no file of the project that there is not", () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|md))`/g)].map(
      ([, file]) => file,
    );
    const known = (file = "") =>
      [
        projectRoot,
        path.dirname(path.join(projectRoot, name)),
        path.join(projectRoot, "services/gateway"),
      ].some((folder) => existsSync(path.join(folder, file)));
    expect(named.filter((file) => !known(file))).toEqual([]);
  });

  test("names no npm script that there is not", () => {
    const { scripts }: { scripts: object } = JSON.parse(readDocument("package.json"));
    const named = [...text.matchAll(/\bnpm (?:run (?:--\S+ )*([\w:]+)|(start|test)\b)/g)];
    const missing = named
      .map(([, run, short]) => run ?? short ?? "")
      .filter((script) => !(script in scripts));
    expect(missing).toEqual([]);
  });
});

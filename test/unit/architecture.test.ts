import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { tableRows } from "../integration/docs/support/markdown.ts";

const root = path.resolve(import.meta.dirname, "../..");
const skipped = new Set(["node_modules", "data", "coverage"]);
const rooms = ["services", "mixins", "db", "lib", "admin", "scripts", "test", "bench"];
const MAX_LINES = 300;

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const manifest: { dependencies: object; devDependencies: object } = JSON.parse(read("package.json"));
const architecture = read("docs/architecture.md");

/** A module that a source file names. */
interface ImportedModule {
  readonly specifier: string;
  /** Whether nothing of it is left when the program runs. */
  readonly isTypeOnly: boolean;
}

/** The ways in which this project's files name other ones; the first group is the word `type`, if any. */
const patterns: readonly RegExp[] = [
  /^(?:import|export) (type )?[^"';]*?\bfrom "([^"]+)"/gm,
  /^import() "([^"]+)"/gm,
  /\bimport()\(\s*"([^"]+)"\s*\)/g,
  /\brequire()\(\s*"([^"]+)"\s*\)/g,
  /\bnew URL()\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url\s*\)/g,
];

/** The modules that the text of a source file names, types and workers included. */
function importsOf(source: string): ImportedModule[] {
  return patterns.flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, type = "", specifier = ""]) => ({
      specifier,
      isTypeOnly: type !== "",
    })),
  );
}

/** Every TypeScript file of the project, by its path from the root. */
const files = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !name.startsWith(".") && !skipped.has(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(path.join(root, entry.name), { recursive: true, encoding: "utf8" }).map((file) =>
          path.posix.join(entry.name, file),
        )
      : [entry.name],
  )
  .filter((file) => file.endsWith(".ts"))
  .sort();

const roomOf = (file: string) => (file.includes("/") ? (file.split("/")[0] ?? "") : "");
const within = (...names: string[]) => files.filter((file) => names.includes(roomOf(file)));
/** What runs in production, and the operator's command. */
const program = files.filter((file) => !["test", "bench", "scripts"].includes(roomOf(file)));

interface ProjectImport extends ImportedModule {
  readonly from: string;
  /** The imported file, by its path from the root. */
  readonly file: string;
}

/** The project's own files that a file imports. */
function projectImports(from: string): ProjectImport[] {
  return importsOf(read(from))
    .filter(({ specifier }) => specifier.startsWith("."))
    .map((imported) => ({
      ...imported,
      from,
      file: path.posix.join(path.posix.dirname(from), imported.specifier),
    }));
}

/** The packages that a file imports, by name. */
function packagesOf(file: string): string[] {
  return importsOf(read(file))
    .map(({ specifier }) => specifier)
    .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
    .map((specifier) =>
      specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

const describeImport = ({ from, file, isTypeOnly }: ProjectImport) =>
  `${from} imports ${isTypeOnly ? "a type of " : ""}${file}`;

/** Which rooms another one may import, beside itself, as the table in the documentation says. */
const mayImport = new Map(
  tableRows(architecture, ["Folder", "What is in it", "May import"]).map(([folder = "", , allowed = ""]) => [
    /\w+/.exec(folder)?.[0] ?? "",
    allowed,
  ]),
);

function allowedRooms(room: string): string[] {
  const allowed = mayImport.get(room) ?? "";
  if (allowed === "everything") return [...rooms, ""];
  return [room, ...rooms.filter((name) => new RegExp(`\\b${name}\\b`).test(allowed.split(";")[0] ?? ""))];
}

const serviceOf = (file: string) => file.split("/")[1] ?? "";

/** Whether a service may reach into another one's folder so. */
function isAllowedBetweenServices({ from, file, isTypeOnly }: ProjectImport): boolean {
  // Writes a workspace, its admin and its key in one transaction.
  if (from === "services/workspaces/provision.ts") return true;
  // Lists every table for the comparison with the migrations.
  if (from === "services/entities.ts") return file.endsWith(".entity.ts");
  return isTypeOnly && file.endsWith(".schema.ts");
}

describe("the rooms", () => {
  test("are those that the documentation names, which says what each may import", () => {
    expect([...mayImport.keys()].sort()).toEqual([...rooms].sort());
    expect(new Set(files.map(roomOf))).toEqual(new Set([...rooms, ""]));
    expect(Object.fromEntries(rooms.map((room) => [room, allowedRooms(room).toSorted()]))).toMatchObject({
      services: ["db", "lib", "mixins", "services"],
      mixins: ["db", "lib", "mixins"],
      db: ["db", "lib"],
      lib: ["lib"],
      admin: ["admin", "db", "lib", "mixins", "services"],
      scripts: ["scripts"],
      bench: ["bench"],
    });
  });

  test.each(rooms)("%s imports nothing but what it may", (room) => {
    const imports = within(room).flatMap(projectImports);
    const allowed = new Set(allowedRooms(room));
    expect(imports.filter(({ file }) => !allowed.has(roomOf(file))).map(describeImport)).toEqual([]);
  });

  test("a service takes types of schemas from another one, and nothing else", () => {
    const imports = within("services").flatMap(projectImports);
    const foreign = imports.filter(
      ({ from, file }) => roomOf(file) === "services" && serviceOf(from) !== serviceOf(file),
    );
    expect(foreign.length).toBeGreaterThan(0);
    expect(foreign.filter((each) => !isAllowedBetweenServices(each)).map(describeImport)).toEqual([]);
  });

  test("nothing of the program knows tests or benchmarks", () => {
    const imports = [...program, ...within("scripts")].flatMap(projectImports);
    expect(
      imports.filter(({ file }) => ["test", "bench"].includes(roomOf(file))).map(describeImport),
    ).toEqual([]);
  });

  test("every imported file is there", () => {
    const known = new Set(files);
    const imports = files.flatMap(projectImports).filter(({ file }) => file.endsWith(".ts"));
    expect(imports.length).toBeGreaterThan(files.length);
    expect(imports.filter(({ file }) => !known.has(file)).map(describeImport)).toEqual([]);
  });
});

describe("the packages", () => {
  test("of the program are its dependencies", () => {
    const used = new Set(program.flatMap(packagesOf));
    expect([...used].filter((name) => !(name in manifest.dependencies))).toEqual([]);
  });

  test("of everything else are dependencies too, or for development", () => {
    const used = new Set(files.flatMap(packagesOf));
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    expect([...used].filter((name) => !(name in declared))).toEqual([]);
  });

  test("have a reason in the documentation, but for types and what comes with another one", () => {
    const documented = tableRows(architecture, ["Package", "Why"]).flatMap(([names = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    );
    const parts: Readonly<Record<string, string>> = { "@swc/core": "@swc/jest", "@jest/globals": "jest" };
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const expected = declared
      .filter((name) => !name.startsWith("@types/"))
      .map((name) => parts[name] ?? name);
    expect([...new Set(documented)].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe("the files", () => {
  test(`have at most ${MAX_LINES} lines`, () => {
    const lengths = files.map((file) => ({ file, lines: read(file).split("\n").length - 1 }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  test("of the program read the environment in one place", () => {
    expect(program.filter((file) => /\bprocess\s*\.\s*env\b/.test(read(file)))).toEqual(["lib/config.ts"]);
  });

  test("of the program seal secrets in one place, which asks whether the key may still do so", () => {
    expect(program.filter((file) => /\.\s*seal\s*\(/.test(read(file)))).toEqual(["mixins/known-keys.ts"]);
  });

  test("of the program print through its logger, but for the operator's command", () => {
    expect(program.filter((file) => /\bconsole\s*\./.test(read(file)))).toEqual(["admin.ts"]);
  });

  test("silence no compiler and no linter", () => {
    const silencers =
      /@ts-(?:ignore|nocheck|expect-error)|biome-ignore|\bas any\s*[;,)\]}>.]|\bas unknown as\b/;
    const own = path.posix.join("test/unit", path.basename(import.meta.filename));
    expect(files.filter((file) => file !== own && silencers.test(read(file)))).toEqual([]);
  });
});

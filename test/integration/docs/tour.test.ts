import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type App, startApp } from "../../support/app.ts";
import { codeBlocks, stepsOf, tableRows } from "./support/markdown.ts";
import { layOut, Mask } from "./support/masks.ts";
import { Tour } from "./support/tour.ts";

const ID = "rec_01M7Y3G11Y0MCNNZRWAWSRFTZC";
const OTHER_ID = "rec_01M7Y3G11Y0MCNNZRWAWSRFTZD";
const TIMES = '"created_at":"2026-11-21T03:48:11.966Z","updated_at":"2026-11-21T03:48:11.966Z"';
const CREATE = `curl -s http://127.0.0.1:3000/v1/data -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" -d '{"name": "A", "type": "note"}'`;
const FETCH = 'curl -s "http://127.0.0.1:3000/v1/data/$ID" -H "Authorization: Bearer $KEY"';

const shown = (id: string, name = "A") =>
  `{"success":true,"data":{"id":"${id}","name":"${name}","type":"note","status":"active","fields":{},"tags":[],${TIMES}}}`;

/** A document that makes a record and fetches it. */
const document = (made: string, fetched: string) =>
  ["sh", "export KEY=wds_…", "sh", CREATE, "json", made, "sh", `export ID=rec_…\n${FETCH}`, "json", fetched]
    .map((text, at, all) => (at % 2 === 0 ? `\`\`\`${text}\n${all[at + 1]}\n\`\`\`\n` : "\n"))
    .join("");

describe("a tour through a document", () => {
  let app: App;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(async () => {
    await app.stop();
  });

  async function follow(markdown: string): Promise<void> {
    const { port, key } = app;
    const tour = new Tour({ port, key, dataDir: "/dev/null", stdout: () => "  Ready.\n" });
    for (const step of stepsOf(codeBlocks(markdown))) await tour.follow(step);
  }

  test("accepts answers whose ids and times differ, and tries every step", async () => {
    await follow(document(shown(ID), shown(ID)));
    await follow(document(JSON.stringify(JSON.parse(shown(ID)), null, 4), shown(ID)));
  });

  test.each([
    ["another value", shown(ID, "B"), shown(ID)],
    ["another id than before", shown(ID), shown(OTHER_ID)],
    ["a member less", shown(ID).replace('"tags":[],', ""), shown(ID)],
    [
      "another order of members",
      shown(ID).replace('"fields":{},"tags":[]', '"tags":[],"fields":{}'),
      shown(ID),
    ],
    ["a line more", `${shown(ID)}\n204`, shown(ID)],
  ])("refuses an answer with %s", async (_, made, fetched) => {
    await expect(follow(document(made, fetched))).rejects.toThrow("toBe");
  });

  test.each([
    ["a call without an answer", `\`\`\`sh\nexport KEY=wds_…\n${CREATE}\n\`\`\``, /toBe/],
    [
      "a command that fails",
      "```sh\ncurl -s http://127.0.0.1:3000/%zz:bad --nosuch-option\n```",
      /Ended with/,
    ],
    ["commands that nobody tries", "```sh\nmake install\n```", /Nobody tries the commands at line 1/],
    ["an answer that nobody checks", '# A\n```json\n{"a":1}\n```', /Nobody checks what line 2 shows/],
    ["an id that has not come up", '```sh\nexport ID=usr_…\ncurl -s "$ID"\n```', /begins with usr_/],
    ["another first start", "```sh\nnpm start\n```\n```text\nStarted.\n```", /toContain/],
  ])("refuses %s", async (_, markdown, message) => {
    await expect(follow(markdown)).rejects.toThrow(message);
  });

  test("accepts the first start as it was", async () => {
    await follow("```sh\nnpm ci\nnpm start\n```\n```text\n  Ready.\n```");
  });
});

describe("what a tour reads", () => {
  test("are blocks with their language, line and heading", () => {
    expect(codeBlocks("# A\n\n```sh\na\nb\n```\n## B\n```json\n1\n```\n")).toEqual([
      { language: "sh", text: "a\nb", line: 3, heading: "A" },
      { language: "json", text: "1", line: 8, heading: "B" },
    ]);
    expect(() => codeBlocks("```sh\na")).toThrow("The block at line 1 has no end.");
  });

  test("are tables by their columns", () => {
    expect(tableRows("x\n| A | B |\n|---|---|\n| 1 | |\n| a \\| b | 2 |\n\ny", ["A", "B"])).toEqual([
      ["1", ""],
      ["a \\| b", "2"],
    ]);
    expect(() => tableRows("x", ["A"])).toThrow("There is no table with the columns A.");
  });

  test("are texts in which the same id is the same, and times, keys and cursors do not count", () => {
    const text = (id: string) => `${ID} ${id} ${TIMES} wds_abc… "next_cursor":"abc" "request_id":"x-1"`;
    const masked = (id: string) => new Mask().apply(text(id));
    expect(masked(ID)).not.toBe(masked(OTHER_ID));
    expect(masked(OTHER_ID)).toBe(
      '<rec 1> <rec 2> "created_at":"<time>","updated_at":"<time>" <key> "next_cursor":"<cursor>" "request_id":"<request id>"',
    );
    expect(new Mask().apply('"next_cursor":null')).toBe('"next_cursor":null');
  });

  test("are lines of JSON in one layout", () => {
    expect(layOut('204\n{"a": 1}\n')).toBe(layOut('204\n{"a":1}'));
    expect(layOut('{"a":1,"b":2}')).not.toBe(layOut('{"b":2,"a":1}'));
  });
});

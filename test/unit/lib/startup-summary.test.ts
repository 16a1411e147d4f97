import { describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../../lib/config.ts";
import { baseUrlOf, firstStartNotice } from "../../../lib/startup-summary.ts";

const baseUrlFor = (environment: Record<string, string>) => baseUrlOf(loadConfig(environment).http);

describe("baseUrlOf", () => {
  test.each([
    [{}, "http://127.0.0.1:3000"],
    [{ HOST: "0.0.0.0", PORT: "8080" }, "http://127.0.0.1:8080"],
    [{ HOST: "::" }, "http://[::1]:3000"],
    [{ HOST: "fe80::1" }, "http://[fe80::1]:3000"],
    [{ HOST: "data.internal" }, "http://data.internal:3000"],
    [{ HOST: "0.0.0.0", PUBLIC_URL: "https://data.example" }, "https://data.example"],
  ])("%j: %s", (environment, url) => {
    expect(baseUrlFor(environment)).toBe(url);
  });
});

describe("firstStartNotice", () => {
  test("shows a key that was made, and a command with it", () => {
    expect(firstStartNotice({ workspaceId: "ws_1", key: "wds_x" }, "http://127.0.0.1:3000")).toBe(
      [
        "",
        "  The workspace ws_1 is ready.",
        "  Its key, shown this once:",
        "",
        "  wds_x",
        "",
        "  Try it:",
        "",
        '  curl -H "Authorization: Bearer wds_x" http://127.0.0.1:3000/v1/data',
        "",
        "",
      ].join("\n"),
    );
  });

  test("names the variable of a key that was given", () => {
    const notice = firstStartNotice({ workspaceId: "ws_1" }, "http://127.0.0.1:3000");
    expect(notice).toContain("  Its key is BOOTSTRAP_API_KEY.\n");
    expect(notice).toContain(
      '  curl -H "Authorization: Bearer $BOOTSTRAP_API_KEY" http://127.0.0.1:3000/v1/data\n',
    );
  });
});

import { describe, expect, test } from "@jest/globals";
import { type LogLevels, ServiceBroker } from "moleculer";
import { ProgramLogger } from "../../../mixins/program-logger.ts";

function brokerAt(level: LogLevels) {
  const lines: [string, boolean][] = [];
  const logger = new ProgramLogger(level, (line, isWarning) =>
    lines.push([line.replace(/^\S+ /, ""), isWarning]),
  );
  const broker = new ServiceBroker({
    logger,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
  });
  return { broker, lines };
}

describe("ProgramLogger", () => {
  test("one line an entry, with its time, level and origin", () => {
    const lines: string[] = [];
    const logger = new ProgramLogger("info", (line) => lines.push(line));
    const broker = new ServiceBroker({ logger, skipProcessEventRegistration: true });
    broker.createService({ name: "things" }).logger.warn("two", { words: [1, 2] }, undefined, 3);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}things: two \{ words: \[ 1, 2 \] \} 3$/);
  });

  test("an error comes with its stack and its cause", () => {
    const { broker, lines } = brokerAt("info");
    const error = new Error("outer", { cause: new Error("inner") });
    broker.createService({ name: "things" }).logger.error("Failed:", error);
    expect(lines[0]?.[0]).toMatch(/^ERROR things: Failed: Error: outer\n +at [\s\S]+\[cause\]: Error: inner/);
  });

  test("of the framework only what goes wrong shows, unless more is asked for", async () => {
    for (const level of ["info", "debug"] as const) {
      const { broker, lines } = brokerAt(level);
      broker.createService({ name: "things" });
      await broker.start();
      await broker.call("nothing").catch(() => {});
      await broker.stop();
      const warning = ["WARN  broker: Service 'nothing' is not registered.", true];
      if (level === "info") expect(lines).toEqual([warning]);
      else expect(lines).toContainEqual(["INFO  things: Service 'things' started.", false]);
    }
  });

  test.each<[LogLevels, LogLevels[]]>([
    ["fatal", ["fatal"]],
    ["warn", ["fatal", "error", "warn"]],
    ["info", ["fatal", "error", "warn", "info"]],
    ["trace", ["fatal", "error", "warn", "info", "debug", "trace"]],
  ])("LOG_LEVEL %s", (level, shown) => {
    const { broker, lines } = brokerAt(level);
    const { logger } = broker.createService({ name: "things" });
    lines.length = 0;
    for (const each of ["fatal", "error", "warn", "info", "debug", "trace"] as const) logger[each]("x");
    expect(lines.map(([line]) => line.split(" ")[0]?.toLowerCase())).toEqual(shown);
  });

  test("warnings and worse go to standard error", () => {
    const { broker, lines } = brokerAt("info");
    const { logger } = broker.createService({ name: "things" });
    logger.fatal("x");
    logger.error("x");
    logger.warn("x");
    logger.info("x");
    expect(lines.map(([, isWarning]) => isWarning)).toEqual([true, true, true, false]);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { type ProgramProcess, startProcess } from "../../../support/process.ts";
import { codeBlocks, stepsOf } from "./markdown.ts";
import { startTouredReceiver } from "./receiver.ts";
import { projectRoot } from "./shell.ts";
import { type Examples, Tour } from "./tour.ts";

/** A document of the project. */
export function readDocument(name: string): string {
  return readFileSync(path.join(projectRoot, name), "utf8");
}

/**
 * One test for each step of a document, in order, against one process. A block that no test knows how to try
 * fails.
 * @param examples see {@link Examples}
 */
export function describeTour(name: string, examples?: Examples): void {
  const steps = stepsOf(codeBlocks(readDocument(name)));

  describe(`${name}, step by step`, () => {
    let receiver: Awaited<ReturnType<typeof startTouredReceiver>>;
    let program: ProgramProcess;
    let tour: Tour;

    beforeAll(async () => {
      receiver = await startTouredReceiver();
      program = await startProcess({
        env: {
          NODE_EXTRA_CA_CERTS: path.join(receiver.folder, "certificate.pem"),
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
        },
      });
      tour = new Tour({ ...program, receiver }, examples);
    });

    afterAll(async () => {
      await program.stop();
      await receiver.stop();
    });

    for (const step of steps) {
      const { line, text } = step.commands ?? step.shown ?? { line: 0, text: "" };
      test(`line ${line}: ${text.split("\n", 1)}`, () => tour.follow(step));
    }
  });
}

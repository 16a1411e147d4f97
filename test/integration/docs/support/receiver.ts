import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { waitFor } from "../../../support/wait-for.ts";
import { projectRoot } from "./shell.ts";

/** The receiver of `npm run receiver`, in a process of its own. */
export interface TouredReceiver {
  readonly url: string;
  /** Where its certificate is. */
  readonly folder: string;
  /** What it printed so far. */
  readonly stdout: () => string;
}

/** Starts it on a free port, with the secret that documents use. Stop it when done. */
export async function startTouredReceiver(): Promise<TouredReceiver & { stop(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "receiver-"));
  const words = ["scripts/receiver.ts", "--port", "0", "--secret", "hush", "--folder", folder];
  const child = spawn(process.execPath, words, { cwd: projectRoot, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  const stop = async () => {
    const ended = once(child, "close");
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const urlIn = () => /https:\/\/localhost:\d+/.exec(printed)?.[0] ?? "";
  await waitFor(() => urlIn() !== "" && printed.includes("npm start"), { what: "the receiver to listen" });
  return { url: urlIn(), folder, stdout: () => printed, stop };
}

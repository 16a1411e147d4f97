/**
 * A console on the running program: `npm run repl`, then `help`. With TRANSPORTER it joins that cluster; without,
 * it works on the environment's database, beside a running service too.
 */

import { chooseWorkspace } from "./admin/commands/choose-workspace.ts";
import { commands } from "./admin/commands.ts";
import { Operator } from "./admin/operator.ts";
import { startReplBroker } from "./admin/repl-broker.ts";
import { ReplSession } from "./admin/repl-session.ts";
import { loadConfig } from "./lib/config.ts";
import { explainFailure } from "./lib/explain-failure.ts";

try {
  const operator = new Operator();
  const broker = await startReplBroker(loadConfig(), operator);
  const session = new ReplSession(broker, [chooseWorkspace(operator), ...commands], operator);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void session.leave());
  // Whoever read what is printed has gone.
  process.stdout.on("error", () => void session.leave());
  session.start();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

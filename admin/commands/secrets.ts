import type { Resealed } from "../../mixins/reseal.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";

const CANNOT_OPEN =
  "What is unreadable was sealed with yet another key, or changed: it stays as it is, and SECRET_KEY_PREVIOUS is still needed.";

/** What keeps stored secrets readable while their key changes. */
export const secretCommands: readonly Command[] = [
  {
    name: "secrets reseal",
    operands: [],
    options: {},
    help: "Seal every stored secret anew with SECRET_KEY, so that SECRET_KEY_PREVIOUS is needed no more",
    services: ["secrets", "integrations", "webhooks"],
    async run(call) {
      const { resealed, unreadable } = await call<Omit<Resealed, "key_id">>("secrets.reseal", {});
      const lines = table([
        ["resealed", String(resealed)],
        ["unreadable", String(unreadable)],
      ]);
      return unreadable === 0 ? { lines } : { lines, remark: CANNOT_OPEN };
    },
  },
];

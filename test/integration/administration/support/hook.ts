import type { Environment } from "../../../support/environment.ts";
import { trustTestAuthority } from "../../../support/test-authority.ts";
import {
  closeAtOnce,
  type ReceiverAnswer,
  redirect,
  startReceiver,
  status,
} from "../../../support/tls-receiver.ts";

/** Where registrations are validated. */
export interface Hook {
  readonly url: string;
  /** How many registrations it was asked for so far. */
  askedCount(): number;
  /** Settings with which a program reaches it. */
  readonly env: Environment;
  stop(): Promise<void>;
}

/** What a query asks for; without one the answer is yes. */
const answers: Readonly<Record<string, ReceiverAnswer>> = {
  "404": status(404),
  "500": status(500),
  "307": redirect("https://example.com/"),
  close: closeAtOnce,
};

/**
 * Starts a server that says yes to every registration but where the query says otherwise. Stop it when done.
 * @param usual how it answers where the query says nothing; yes unless told
 */
export async function startHook(usual: ReceiverAnswer = status(200)): Promise<Hook> {
  const undo = await trustTestAuthority();
  const receiver = await startReceiver({
    answer: (response, request) => {
      const answer = answers[new URL(request.path, "https://localhost").search.slice(1)];
      (answer ?? usual)(response, request);
    },
  });
  return {
    url: receiver.url("/hook"),
    // A request on a connection that was given up meanwhile comes twice, as the same delivery.
    askedCount: () => new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).size,
    env: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" },
    stop: async () => {
      await receiver.stop();
      undo();
    },
  };
}

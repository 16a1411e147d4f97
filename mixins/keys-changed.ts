import type { Service } from "moleculer";

/**
 * Tells every node that a key opens less than before, or that its user may do something else now: whoever
 * remembers callers forgets them, on this node before this resolves. A notice that is lost costs seconds, for
 * each node forgets by itself; so it never throws.
 */
export async function announceKeysChanged({
  broker,
  logger,
}: Pick<Service, "broker" | "logger">): Promise<void> {
  try {
    await broker.broadcast("keys.changed");
  } catch (error) {
    logger.warn("Not every node was told that a key changed; each forgets it by itself in seconds.", error);
  }
}

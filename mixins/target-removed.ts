import type { Service } from "moleculer";

/** Tells every dispatcher that a target stands no more, with its id. */
export const TARGET_REMOVED = "targets.removed";

/** What the broadcast says. */
export interface TargetRemovedNotice {
  readonly id: string;
}

/**
 * Has every node abort what it is sending to a target that was removed. What waited for the target is cancelled
 * in the transaction that removed it, and no attempt starts: a notice that is lost lets one that is in flight
 * end by its deadline. So it never throws.
 */
export async function announceTargetRemoved(
  { broker, logger }: Pick<Service, "broker" | "logger">,
  id: string,
): Promise<void> {
  try {
    const notice: TargetRemovedNotice = { id };
    await broker.broadcast(TARGET_REMOVED, notice);
  } catch (error) {
    logger.warn(
      `Not every node was told that ${id} was removed; what is being sent to it ends by its deadline.`,
      error,
    );
  }
}

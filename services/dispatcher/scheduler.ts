import type { EventName } from "../../lib/event-names.ts";
import type { StartTimer } from "../../lib/outbound/deadline.ts";
import { type AttemptOutcome, type ChannelSender, GONE } from "./channels/channel.ts";
import type { Claim, NextStep } from "./claim.ts";
import type { Channel } from "./delivery.entity.ts";
import type { DeliveryQueue, DueLane } from "./delivery-queue.ts";
import { type FlightLimits, InFlight } from "./in-flight.ts";

/** How long nothing has to be heard of before the dispatcher looks by itself. */
const LOOK_EVERY_MS = 1_000;

const usualLimits: FlightLimits = { perTarget: 8, retriesPerTarget: 4, inAll: 256 };

/** An attempt that was made, for the log: neither address nor secret. */
export interface AttemptNote {
  readonly deliveryId: string;
  readonly event: EventName;
  readonly targetId: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
}

export interface SchedulerOptions {
  readonly queue: Pick<DeliveryQueue, "dueTargets" | "claim" | "record" | "cancel" | "release">;
  /** Makes deliveries of a batch of events that wait; gives how many events it dealt with, 0 where none waits. */
  readonly fanOut: () => Promise<number>;
  /** The bodies of events, by id. */
  readonly findPayloads: (eventIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** What is due for a channel that has no sender here stays where it is. */
  readonly senders: ReadonlyMap<Channel, ChannelSender>;
  /** @param attempt counted from 1 */
  readonly nextStep: (attempt: number, outcome: AttemptOutcome) => NextStep;
  readonly startTimer: StartTimer;
  /** Told of each attempt that was noted. */
  readonly onAttempt: (note: AttemptNote) => void;
  /** Told of what is no receiver's doing: a defect, or a database that does not answer. */
  readonly onError: (message: string, error: unknown) => void;
  readonly limits?: FlightLimits;
}

const laneKey = ({ targetId, lane }: DueLane) => `${lane} ${targetId}`;

/**
 * Makes what is due: one loop that fans out, claims for one target and lane after the other as places get free,
 * and begins the attempts. Whatever fails here is looked at again within a second, and what was claimed meanwhile
 * becomes due by itself.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #inFlight: InFlight;
  /** What is due as far as is known, by whose turn it is. */
  readonly #due = new Map<string, DueLane>();
  readonly #attempts = new Set<Promise<void>>();
  readonly #stopTimers = new Set<() => void>();
  #running: Promise<void> | undefined;
  /** Whether there may be news in the database, and whether places got free. */
  #isNews = false;
  #isFree = false;
  #isFailing = false;
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#inFlight = new InFlight(options.limits ?? usualLimits);
  }

  /** Looks at once, and from then on by itself. */
  start(): void {
    this.#lookAgain();
  }

  /** Looks for events and for what is due. Many calls while it looks make it look once more. */
  readonly wake = (): void => {
    this.#isNews = true;
    this.#run();
  };

  /** Aborts the attempts to a target that was removed. */
  abortTarget(targetId: string): void {
    this.#inFlight.abortTarget(targetId);
  }

  /**
   * Begins nothing more, waits for the attempts that are being made, and aborts those that are not done in time:
   * their claims are given back.
   */
  async stop(deadlineMs: number): Promise<void> {
    this.#isStopped = true;
    for (const stopTimer of this.#stopTimers) stopTimer();
    const stopTimer = this.#options.startTimer(deadlineMs, () => this.#inFlight.abortAll());
    await this.#running;
    await Promise.all(this.#attempts);
    stopTimer();
  }

  readonly #lookAgain = (): void => {
    this.wake();
    this.#after(LOOK_EVERY_MS, this.#lookAgain);
  };

  #after(ms: number, onEnd: () => void): void {
    if (this.#isStopped) return;
    const stopTimer = this.#options.startTimer(ms, () => {
      this.#stopTimers.delete(stopTimer);
      onEnd();
    });
    this.#stopTimers.add(stopTimer);
  }

  #run(): void {
    if (this.#running || this.#isStopped) return;
    this.#running = this.#loop().finally(() => {
      this.#running = undefined;
      if (this.#isNews || this.#isFree) this.#run();
    });
  }

  async #loop(): Promise<void> {
    while ((this.#isNews || this.#isFree) && !this.#isStopped) {
      const isNews = this.#isNews;
      this.#isNews = false;
      this.#isFree = false;
      try {
        if (isNews) await this.#look();
        await this.#takeTurns();
        this.#isFailing = false;
      } catch (error) {
        // What does not answer is asked again every second: once in the log is enough.
        if (!this.#isFailing) this.#options.onError("Deliveries wait until the database can be used", error);
        this.#isFailing = true;
      }
    }
  }

  /** Fans out one batch, so that what is due never waits for all that has happened. */
  async #look(): Promise<void> {
    if ((await this.#options.fanOut()) > 0) this.#isNews = true;
    const due = new Map((await this.#options.queue.dueTargets()).map((each) => [laneKey(each), each]));
    for (const key of this.#due.keys()) if (!due.has(key)) this.#due.delete(key);
    for (const [key, each] of due) if (this.#options.senders.has(each.channel)) this.#due.set(key, each);
  }

  /** Gives each target and lane that has something due what places it may have, the last served at last. */
  async #takeTurns(): Promise<void> {
    const turns = [...this.#due];
    for (const [at, [key, due]] of turns.entries()) {
      if (this.#isStopped || this.#inFlight.placesInAll < 1) return;
      // Where places are rare, each of those that still wait for their turn has its share of them.
      const share = Math.ceil(this.#inFlight.placesInAll / (turns.length - at));
      const places = Math.min(share, this.#inFlight.placesFor(due.targetId, due.lane));
      if (places < 1) continue;
      const claims = await this.#options.queue.claim(due.targetId, due.lane, places);
      this.#due.delete(key);
      if (claims.length === places) this.#due.set(key, due);
      if (claims.length > 0) this.#begin(claims);
    }
  }

  #begin(claims: readonly Claim[]): void {
    const payloads = this.#isStopped
      ? undefined
      : this.#options.findPayloads(claims.map(({ eventId }) => eventId));
    // Each attempt hears of a failure itself; this one is for the time in which none of them listens.
    payloads?.catch(() => {});
    for (const claim of claims) {
      const attempt = payloads ? this.#attempt(claim, payloads) : this.#release(claim);
      this.#attempts.add(attempt);
      attempt.finally(() => this.#attempts.delete(attempt));
    }
  }

  /** Makes one attempt, and notes it. Never rejects. */
  async #attempt(claim: Claim, payloads: Promise<ReadonlyMap<string, string>>): Promise<void> {
    const { signal, leave } = this.#inFlight.enter(claim);
    try {
      await this.#send(claim, payloads, signal);
    } catch (error) {
      if (signal.aborted) await this.#release(claim);
      // The claim is kept until it ends by itself: what fails at once must not be tried at once again.
      else this.#options.onError(`The delivery ${claim.deliveryId} could not be attempted`, error);
    } finally {
      leave();
      this.#isFree = true;
      this.#run();
    }
  }

  async #send(
    claim: Claim,
    payloads: Promise<ReadonlyMap<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    const { queue, senders, nextStep, onAttempt } = this.#options;
    const { deliveryId, workspaceId, event, eventId, targetId } = claim;
    const attempt = claim.attemptCount + 1;
    const payload = (await payloads).get(eventId);
    const sender = senders.get(claim.channel);
    signal.throwIfAborted();
    const delivery = { id: deliveryId, workspaceId, event, targetId, attempt };
    const outcome =
      payload === undefined || !sender ? GONE : await sender.send({ ...delivery, payload }, signal);
    if (outcome === GONE) {
      await queue.cancel(claim);
      return;
    }
    const next = nextStep(attempt, outcome);
    if (!(await queue.record(claim, outcome, next))) return;
    onAttempt({ deliveryId, event, targetId, attempt, outcome });
    // What is due later is found by the look of every second.
    if (next.kind === "retry" && next.inMs < LOOK_EVERY_MS) this.#after(next.inMs, this.wake);
  }

  async #release(claim: Claim): Promise<void> {
    try {
      await this.#options.queue.release([claim]);
    } catch (error) {
      this.#options.onError(`The claim of ${claim.deliveryId} ends by itself`, error);
    }
  }
}

import { type Lane, lanes } from "../../lib/delivery-states.ts";
import type { Claim } from "./claim.ts";

/** How many attempts may be in flight at a time. */
export interface FlightLimits {
  /** To one target, in both lanes. */
  readonly perTarget: number;
  /** Of these, how many may be retries: the others are kept for first attempts. */
  readonly retriesPerTarget: number;
  readonly inAll: number;
}

interface Flight {
  readonly claim: Claim;
  readonly controller: AbortController;
}

/** The attempts that this dispatcher is making, counted by target and lane. */
export class InFlight {
  readonly #limits: FlightLimits;
  readonly #flights = new Map<string, Set<Flight>>();
  #count = 0;

  constructor(limits: FlightLimits) {
    this.#limits = limits;
  }

  /** How many more attempts may begin. */
  get placesInAll(): number {
    return this.#limits.inAll - this.#count;
  }

  /** How many more attempts to a target may begin in a lane. */
  placesFor(targetId: string, lane: Lane): number {
    const flights = [...(this.#flights.get(targetId) ?? [])];
    const places = Math.min(this.#limits.perTarget - flights.length, this.placesInAll);
    if (lane === lanes.first) return places;
    const retries = flights.filter(({ claim }) => claim.lane === lanes.retry).length;
    return Math.min(places, this.#limits.retriesPerTarget - retries);
  }

  /** Takes a place for a claim until `leave`. */
  enter(claim: Claim): { readonly signal: AbortSignal; leave(): void } {
    const flight = { claim, controller: new AbortController() };
    const flights = this.#flights.get(claim.targetId) ?? new Set();
    this.#flights.set(claim.targetId, flights.add(flight));
    this.#count += 1;
    const leave = () => {
      flights.delete(flight);
      if (flights.size === 0) this.#flights.delete(claim.targetId);
      this.#count -= 1;
    };
    return { signal: flight.controller.signal, leave };
  }

  /** Aborts the attempts to one target. */
  abortTarget(targetId: string): void {
    for (const { controller } of this.#flights.get(targetId) ?? []) controller.abort();
  }

  abortAll(): void {
    for (const targetId of this.#flights.keys()) this.abortTarget(targetId);
  }
}

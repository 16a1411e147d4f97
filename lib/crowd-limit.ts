/** Lets so many in at a time for each key, and so many in all, and turns the others away. */
export class CrowdLimit {
  readonly #places: number;
  readonly #placesInAll: number;
  readonly #taken = new Map<string, number>();
  #takenInAll = 0;

  constructor(places: number, placesInAll = Number.POSITIVE_INFINITY) {
    this.#places = places;
    this.#placesInAll = placesInAll;
  }

  /** Takes a place; what comes back gives it back, once. Undefined where there is none. */
  enter(key: string): (() => void) | undefined {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#places || this.#takenInAll >= this.#placesInAll) return undefined;
    this.#taken.set(key, taken + 1);
    this.#takenInAll += 1;
    let isInside = true;
    return () => {
      if (isInside) this.#leave(key);
      isInside = false;
    };
  }

  #leave(key: string): void {
    this.#takenInAll -= 1;
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}

/** Lets so many in at a time for each key, and turns the others away. */
export class CrowdLimit {
  readonly #places: number;
  readonly #taken = new Map<string, number>();

  constructor(places: number) {
    this.#places = places;
  }

  /** Takes a place; what comes back gives it back, once. Undefined where there is none. */
  enter(key: string): (() => void) | undefined {
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#places) return undefined;
    this.#taken.set(key, taken + 1);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(key);
      isInside = false;
    };
  }

  #leave(key: string): void {
    const left = (this.#taken.get(key) ?? 0) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}

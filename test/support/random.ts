import { createRandom } from "../../bench/records.ts";

/** Chance that can be repeated: the same seed gives the same choices. */
export class Random {
  readonly seed: number;
  readonly #next: () => number;

  constructor(seed: number) {
    this.seed = seed;
    this.#next = createRandom(seed);
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.#next() * (most - least + 1));
  }

  /** @throws Error where there is nothing to choose from */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to pick.");
    return item;
  }

  /** The items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, at: this.#next() }))
      .sort((left, right) => left.at - right.at)
      .map(({ item }) => item);
  }

  /** One more source of chance, which does not depend on how often this one is asked afterwards. */
  fork(): Random {
    return new Random(this.integer(0, 2 ** 31));
  }
}

/**
 * A test that leaves something to chance. Its seed is new each time, or `SEED` of the environment; where it
 * fails, the error begins with the seed. Timing stays as random as it is: the seed repeats choices, not races.
 */
export function withChance(test: (random: Random) => Promise<void>): () => Promise<void> {
  return async () => {
    const random = new Random(Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31)));
    try {
      await test(random);
    } catch (error) {
      if (error instanceof Error)
        error.message = `SEED=${random.seed} repeats its choices.\n${error.message}`;
      throw error;
    }
  };
}

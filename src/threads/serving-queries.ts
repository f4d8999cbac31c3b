import type { OpenQueries } from '../read-models/sqlite/open-queries.ts';

type Open<A> = Pick<OpenQueries, 'close'> & { readonly queries: A };

/** An open generation, and how many questions use it across their waiting. */
type InUse<A> = { readonly open: Open<A>; uses: number; isLeft: boolean };

const closedWhenUnused = (held: InUse<unknown>): void => {
  if (held.isLeft && held.uses === 0) held.open.close();
};

/** The generation that serves. One that serves no more is closed when the last question that uses it has its answer. */
export class ServingQueries<A> {
  readonly #open: () => Open<A> | null;
  #serving: InUse<A> | null = null;

  /** @param open opens what serves now; null where nothing does */
  constructor(open: () => Open<A> | null) {
    this.#open = open;
  }

  /** What serves, until others have their turn; null where nothing does. */
  now(): A | null {
    return this.#held()?.open.queries ?? null;
  }

  /**
   * Has something made that may wait in between.
   *
   * @param of what `now` gave; null where that serves no more
   */
  async use<B>(of: A, make: (queries: A) => Promise<B>): Promise<B | null> {
    const held = this.#serving;
    if (held === null || held.open.queries !== of) return null;
    held.uses += 1;
    try {
      return await make(held.open.queries);
    } finally {
      held.uses -= 1;
      closedWhenUnused(held);
    }
  }

  /** Lets go of what served: what serves now is opened by the next question. */
  leave(): void {
    const held = this.#serving;
    this.#serving = null;
    if (held === null) return;
    held.isLeft = true;
    closedWhenUnused(held);
  }

  #held(): InUse<A> | null {
    if (this.#serving !== null) return this.#serving;
    const open = this.#open();
    this.#serving = open === null ? null : { open, uses: 0, isLeft: false };
    return this.#serving;
  }
}

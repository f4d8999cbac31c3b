import * as E from 'fp-ts/lib/Either.js';
import { FairTurns } from '../concurrency/fair-turns.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';

/** Far ways that are gone at a time: each takes a core for long, and tens of megabytes. */
const FAR_AT_ONCE = 2;
/** Near ones have places of their own, so that nobody waits for a far one because of them, nor the other way round. */
const NEAR_AT_ONCE = 4;

type Failable<A, Trouble> = Promise<E.Either<Trouble | StoreUnavailable, A>>;

/** A way through the log to what was known at a moment; what it may meet beside a store that is away is its own. */
export type Way<A, Trouble = StoreUnavailable> = {
  /** What it leads to. One way to it is gone at a time. */
  readonly to: string;
  /** How much of the log lies on it, by what is known now, in numbers of positions. */
  readonly length: () => number;
  readonly go: () => Failable<A, Trouble>;
  /** Aborted when who asked no longer waits; without it they always do. */
  readonly gone: AbortSignal | undefined;
};

type UnderWay = { readonly ended: Promise<unknown>; readonly askers: Way<unknown>['gone'][] };

const NOBODY_WAITS: E.Either<StoreUnavailable, never> = E.left({
  _tag: 'StoreUnavailable',
  detail: 'nobody waits for it any more',
});

/**
 * Ways that outlive who asked for them, so many at a time, however many different moments are asked for: the others wait
 * for their turn, and one that nobody waits for when its turn comes is not begun.
 */
export class WaysToMoments {
  readonly #mostNear: number;
  readonly #near = new FairTurns(NEAR_AT_ONCE);
  readonly #far = new FairTurns(FAR_AT_ONCE);
  readonly #underWay = new Map<string, UnderWay>();

  /** @param mostNear how much of the log lies on a near way at the most */
  constructor(mostNear: number) {
    this.#mostNear = mostNear;
  }

  /** What a way leads to. Who asks for what another one is on the way to goes behind them, from what they have found. */
  async go<A, Trouble = StoreUnavailable>({ to, length, go, gone }: Way<A, Trouble>): Failable<A, Trouble> {
    for (let other = this.#underWay.get(to); other !== undefined; other = this.#underWay.get(to)) {
      other.askers.push(gone);
      await other.ended;
    }
    const askers = [gone];
    const turns = length() <= this.#mostNear ? this.#near : this.#far;
    const ended = turns.run('', async () => (askers.every((it) => it?.aborted === true) ? NOBODY_WAITS : go()));
    this.#underWay.set(to, { ended, askers });
    try {
      return await ended;
    } finally {
      this.#underWay.delete(to);
    }
  }
}

import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { untilTaken } from '../../concurrency/until-taken.ts';
import type { StoreUnavailable } from '../../event-store/event-store.ts';

/**
 * Takes the months of a ledger for one who closes or opens one, whichever process that is: what gives them back, or null
 * where somebody else has them.
 */
export type TakeMonths = () => E.Either<StoreUnavailable, (() => void) | null>;

/** As much as a close takes that waits for read models and for a checkpoint, and as much again. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 20;

const NOT_GIVEN_BACK: StoreUnavailable = {
  _tag: 'StoreUnavailable',
  detail: 'another command, or the ledger that serves, is closing or opening a month and has not come to its end',
};

const taken = async (take: TakeMonths, patienceMs: number): Promise<E.Either<StoreUnavailable, () => void>> =>
  E.chain((giveBack: (() => void) | null) => (giveBack === null ? E.left(NOT_GIVEN_BACK) : E.right(giveBack)))(
    await untilTaken(take, performance.now() + patienceMs, LOOK_EVERY_MS),
  );

/** What the next close or opening of a month of a log waits for. */
const underWay = new WeakMap<object, Promise<void>>();

/**
 * Closes months and opens them again behind each other: each looks at the other months before it is noted, and a month
 * that was opened meanwhile would be an open one before a closed one, which nobody had asked for. An append says no more than
 * at which revision its own month is. Who does so in another process, a command beside a ledger that serves, is waited for too.
 *
 * @param patienceMs how long another process is waited for
 */
export const oneByOne =
  <Failure, A>(
    { store, takeMonths }: { readonly store: object; readonly takeMonths: TakeMonths },
    deed: TE.TaskEither<Failure, A>,
    patienceMs = PATIENCE_MS,
  ): TE.TaskEither<Failure | StoreUnavailable, A> =>
  async () => {
    const before = underWay.get(store);
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.set(store, promise);
    await before;
    try {
      const months = await taken(takeMonths, patienceMs);
      if (E.isLeft(months)) return months;
      try {
        return await deed();
      } finally {
        months.right();
      }
    } finally {
      resolve();
    }
  };

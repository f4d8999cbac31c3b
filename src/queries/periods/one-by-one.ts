import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { turnsOfEach } from '../../concurrency/turns-of-each.ts';
import { untilTaken } from '../../concurrency/until-taken.ts';
import { ASKER_GONE, type AskerGone } from '../failure/asker-gone.ts';
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

/** Closes and openings of the months of a log. */
const deedsOf = turnsOfEach(1);

/** Where months are closed and opened, and whether whoever asked for it still waits. */
type Months = { readonly store: object; readonly takeMonths: TakeMonths; readonly isAwaited: () => boolean };

/**
 * Closes months and opens them again behind each other: each looks at the other months before it is noted, and a month
 * that was opened meanwhile would be an open one before a closed one, which nobody had asked for. An append says no more than
 * at which revision its own month is. Who does so in another process, a command beside a ledger that serves, is waited for too.
 * By turns of who asks: of several whom one key sends, another one's waits for the one under way. Who hangs up meanwhile leaves
 * the line, and nothing is done.
 *
 * @param who the id of the key, or `command-line`
 * @param patienceMs how long another process is waited for
 */
export const oneByOne =
  <Failure, A>(
    { store, takeMonths, isAwaited }: Months,
    who: string,
    deed: TE.TaskEither<Failure, A>,
    patienceMs = PATIENCE_MS,
  ): TE.TaskEither<Failure | StoreUnavailable | AskerGone, A> =>
  async () => {
    const endTurn = await deedsOf(store).take(who, isAwaited);
    if (endTurn === null) return ASKER_GONE;
    try {
      const months = await taken(takeMonths, patienceMs);
      if (E.isLeft(months)) return months;
      try {
        return await deed();
      } finally {
        months.right();
      }
    } finally {
      endTurn();
    }
  };

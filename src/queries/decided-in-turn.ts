import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { StreamName } from '../domain/ids.ts';
import type { AppendError, StoreUnavailable } from '../event-store/event-store.ts';
import type { QueryFailure } from './failure/query-failure.ts';

/** Each lost race means that another process wrote to the same stream. */
const MOST_RACES = 50;

/** The last of those that wait for each stream of a store: it tells whether the store was away from it. */
const underWay = new WeakMap<object, Map<StreamName, Promise<StoreUnavailable | null>>>();

const untilWon = async <A>(
  stream: StreamName,
  deed: TE.TaskEither<QueryFailure | AppendError, A>,
): Promise<E.Either<QueryFailure, A>> => {
  for (let races = 0; races < MOST_RACES; races += 1) {
    const outcome = await deed();
    if (E.isRight(outcome)) return outcome;
    const failure = outcome.left;
    if (failure._tag === 'AppendRefused') return E.left({ _tag: 'NotRecorded', failure });
    if (failure._tag !== 'WrongExpectedRevision') return E.left(failure);
  }
  return E.left({ _tag: 'NotRecorded', failure: { _tag: 'RacesLost', stream } });
};

/**
 * Decides over a stream behind those of this process who decide over it already: of people who decide at once nobody
 * loses to the others, as often as it may be. Where another process wrote meanwhile, it is decided again.
 *
 * Who waits while the store is away is told so with the one before, and does not wait for an end of his own.
 *
 * @param store whose stream it is
 * @param deed reads the stream, decides, and appends at the revision that was read; it may come to be done several times
 */
export const decidedInTurn =
  <A>(
    store: object,
    stream: StreamName,
    deed: TE.TaskEither<QueryFailure | AppendError, A>,
  ): TE.TaskEither<QueryFailure, A> =>
  async () => {
    const waiting = underWay.get(store) ?? new Map<StreamName, Promise<StoreUnavailable | null>>();
    underWay.set(store, waiting);
    const before = waiting.get(stream);
    const { promise, resolve } = Promise.withResolvers<StoreUnavailable | null>();
    waiting.set(stream, promise);
    let away = (await before) ?? null;
    try {
      if (away !== null) return E.left(away);
      const outcome = await untilWon(stream, deed);
      if (E.isLeft(outcome) && outcome.left._tag === 'StoreUnavailable') away = outcome.left;
      return outcome;
    } finally {
      if (waiting.get(stream) === promise) waiting.delete(stream);
      resolve(away);
    }
  };

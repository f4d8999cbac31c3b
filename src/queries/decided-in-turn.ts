import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { StreamName } from '../domain/ids.ts';
import type { AppendError } from '../event-store/event-store.ts';
import { behindOthers } from '../concurrency/behind-others.ts';
import type { QueryFailure } from './failure/query-failure.ts';

/** Each lost race means that another process wrote to the same stream. */
const MOST_RACES = 50;

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
 * Decides over a stream in turn (`behindOthers`): of people who decide at once nobody loses to the others, as often as it may be.
 * Where another process wrote meanwhile, it is decided again.
 *
 * @param store whose stream it is
 * @param deed reads the stream, decides, and appends at the revision that was read; it may come to be done several times
 */
export const decidedInTurn = <A>(
  store: object,
  stream: StreamName,
  deed: TE.TaskEither<QueryFailure | AppendError, A>,
): TE.TaskEither<QueryFailure, A> => behindOthers(store, stream, () => untilWon(stream, deed));

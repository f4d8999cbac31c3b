import * as E from 'fp-ts/lib/Either.js';
import type { ReadModelsUnavailable } from '../read-models/read-models.ts';
import type { Answer } from './query-message.ts';
import type { NoAnswer } from './worker-client.ts';

/**
 * What a thread made of a question that was handed to it; null: it was not asked or could not make it, and the thread that
 * receives does. A question that the thread died of, perhaps for want of memory, is not made again there: that thread would die
 * of it too, and the ledger with it.
 */
export const handedAnswer = <A>(
  answer: E.Either<NoAnswer, Answer>,
  read: (answer: Answer) => A | null,
): A | E.Either<ReadModelsUnavailable, never> | null => {
  if (E.isRight(answer)) return read(answer.right);
  const { why, detail } = answer.left;
  if (why === 'not asked') return null;
  const unavailable: ReadModelsUnavailable = { _tag: 'ReadModelsUnavailable', detail };
  return E.left(why === 'not awaited' ? { ...unavailable, isUnawaited: true } : unavailable);
};

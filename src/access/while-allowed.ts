import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { AccessEnded } from '../queries/failure/query-failure.ts';
import type { Reader } from './reader.ts';

const ENDED = E.left<AccessEnded>({ _tag: 'AccessEnded' });

/**
 * Does what somebody asked for while they may ask: it is looked at before anything of it begins, and again when it is there,
 * since a body may come slowly and an answer may have waited for its turn. Whoever lost the right meanwhile is told of nothing
 * that came of it, not even how it failed.
 *
 * @param drop releases what nobody is given
 */
export const whileAllowed =
  <Failure, A>(
    reader: Reader,
    work: TE.TaskEither<Failure, A>,
    drop: (made: A) => Promise<void>,
  ): TE.TaskEither<Failure | AccessEnded, A> =>
  async () => {
    if (!reader.mayRead()) return ENDED;
    const made = await work();
    if (reader.mayRead()) return made;
    if (E.isRight(made)) await drop(made.right);
    return ENDED;
  };

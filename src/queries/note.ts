import * as TE from 'fp-ts/lib/TaskEither.js';
import { illFormed, type InvalidParameter } from './failure/query-failure.ts';

/** What people note about a deed at the most, in characters: a month, an item or a delivery keeps all that was ever noted of it. */
export const LONGEST_NOTE = 2_000;

/** Why a note is none; null: it is one. */
export const noteFault = (note: string): InvalidParameter | null =>
  note.length > LONGEST_NOTE ? illFormed('note', `at most ${LONGEST_NOTE} characters`) : null;

/** Does what is noted, unless the note is none. */
export const noted = <L, A>(note: string, deed: TE.TaskEither<L, A>): TE.TaskEither<L | InvalidParameter, A> => {
  const fault = noteFault(note);
  return fault === null ? deed : TE.left(fault);
};

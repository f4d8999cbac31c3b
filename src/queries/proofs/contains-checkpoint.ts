import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { parseCheckpoint, type Checkpoint } from '../../proofs/checkpoint.ts';
import { copiedNote } from '../../proofs/copied-note.ts';
import { checkNote, parseVerifierLine } from '../../proofs/signed-note.ts';
import type { ProofLog } from '../../proofs/proof-log.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { soMany } from '../../domain/so-many.ts';

/** What there is to say of a checkpoint that somebody kept. */
export type Contained =
  | { readonly _tag: 'Contained'; readonly size: number; readonly now: number }
  | { readonly _tag: 'NotContained'; readonly detail: string }
  /** It is no checkpoint, or not one of this log. */
  | { readonly _tag: 'NotOfThisLog'; readonly detail: string };

const foreign = (detail: string): Contained => ({ _tag: 'NotOfThisLog', detail });

const otherLog = (origin: string, here: string | undefined, former: ReturnType<ProofLog['formerLogs']>): Contained => {
  const ended = former.find(({ from }) => from === origin);
  const now = here === undefined ? 'nothing is signed here' : `this log is ${here}`;
  return foreign(
    ended === undefined
      ? `It is a checkpoint of ${origin}, and ${now}.`
      : `It is a checkpoint of ${origin}, as this log was named until ${ended.at}, when it was accepted that events were lost: ${ended.note}. Now ${now}.`,
  );
};

/** A checkpoint that a key of the ledger has signed, the one of now or one before it, or why it is none. */
const signedHere = (written: string, { verifierLines, formerLogs }: ProofLog): E.Either<Contained, Checkpoint> => {
  const note = copiedNote(written);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  const verifiers = verifierLines().flatMap((line) => parseVerifierLine(line) ?? []);
  if (note === null || checkpoint === null) return E.left(foreign('This is no signed checkpoint.'));
  if (verifiers.every(({ name }) => name !== checkpoint.origin)) {
    return E.left(otherLog(checkpoint.origin, verifiers[0]?.name, formerLogs()));
  }
  return verifiers.some((verifier) => E.isRight(checkNote(note, verifier)))
    ? E.right(checkpoint)
    : E.left(foreign("This ledger's key has not signed it."));
};

/** Whether the log still has all that a checkpoint says. */
export const containsCheckpoint = (
  { proofs }: Pick<QueryDependencies, 'proofs'>,
  written: string,
): TE.TaskEither<QueryFailure, Contained> => {
  const signed = signedHere(written, proofs);
  if (E.isLeft(signed)) return TE.right(signed.left);
  const { size, root } = signed.right;
  return pipe(
    proofs.newest(),
    TE.chainW((newest): TE.TaskEither<QueryFailure, Contained> =>
      size > newest.size
        ? TE.right({
            _tag: 'NotContained',
            detail: `It was signed with ${soMany(size, 'event')}, and the log has ${newest.size} that are signed.`,
          })
        : pipe(
            proofs.rootOf(size),
            TE.map((now): Contained =>
              now.equals(root)
                ? { _tag: 'Contained', size, now: newest.size }
                : {
                    _tag: 'NotContained',
                    detail:
                      size === 1
                        ? 'The first event of the log is not the one that it was signed with.'
                        : `The first ${size} events of the log are not those that it was signed with.`,
                  },
            ),
          ),
    ),
  );
};

import { statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Trouble } from '../../domain/trouble.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Examination, ExaminationFailure } from '../examination.ts';
import { openReader } from './open-database.ts';
import type { OpenError } from './open-error.ts';
import { Reader } from './reader.ts';
import { checkWhole, damaged, openFailure } from './schema.ts';

/** What is read through in some tenths of a second; a larger file has `verify`. */
const LARGEST_CHECKED = 64 * 1024 * 1024;

const unreadable = ({ detail, cure }: Trouble): ExaminationFailure => ({ _tag: 'FileUnreadable', detail, cure });

const notRead =
  (file: string) =>
  ({ detail, reason }: StoreUnavailable): ExaminationFailure =>
    unreadable(reason === 'Damaged' ? damaged(file, detail) : { detail, cure: null });

/** Opens an event-store file for a look at it. */
export const examineFile = (file: string): E.Either<ExaminationFailure, Examination> => {
  const opened = openReader(file);
  if (E.isLeft(opened)) return E.left(unreadable(opened.left));
  const database = opened.right;
  const sized = (): E.Either<OpenError, string> => {
    try {
      const isRead = statSync(file).size <= LARGEST_CHECKED;
      return E.map(() => (isRead ? 'its pages fit together' : 'too large to be read through here: ramp-ledger verify'))(
        checkWhole(database, file, LARGEST_CHECKED),
      );
    } catch (error) {
      return E.left(openFailure(error, file));
    }
  };
  try {
    const reader = new Reader(database);
    return E.right({
      about: TE.fromIOEither(() => E.mapLeft(unreadable)(sized())),
      newest: (most) => TE.fromIOEither(() => E.mapLeft(notRead(file))(reader.newest(most))),
      at: (position) =>
        pipe(
          reader.readAt([position]),
          TE.bimap(notRead(file), (events) => events[0] ?? null),
        ),
      close: () => {
        reader.close();
        return Promise.resolve();
      },
    });
  } catch (error) {
    // Its tables are others, or their pages are gone.
    database.close();
    return E.left(unreadable(openFailure(error, file)));
  }
};

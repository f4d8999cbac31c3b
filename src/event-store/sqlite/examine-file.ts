import { statSync } from 'node:fs';
import { either as E, taskEither as TE } from 'fp-ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Examination } from '../examination.ts';
import { openReader } from './open-database.ts';
import type { OpenError } from './open-error.ts';
import { Reader } from './reader.ts';
import { checkWhole, openFailure } from './schema.ts';

/** What is read through in some tenths of a second; a larger file has `verify`. */
const LARGEST_CHECKED = 64 * 1024 * 1024;

const unavailable = ({ detail }: OpenError): StoreUnavailable => ({ _tag: 'StoreUnavailable', detail });

/** Opens an event-store file for a look at it. */
export const examineFile = (file: string): E.Either<OpenError, Examination> => {
  const opened = openReader(file);
  if (E.isLeft(opened)) return opened;
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
      about: TE.fromIOEither(() => E.mapLeft(unavailable)(sized())),
      newest: (most) => TE.fromIOEither(() => reader.newest(most)),
      at: (position) => TE.map((events: readonly RecordedEvent[]) => events[0] ?? null)(reader.readAt([position])),
      close: () => {
        reader.close();
        return Promise.resolve();
      },
    });
  } catch (error) {
    // Its tables are others, or their pages are gone.
    database.close();
    return E.left(openFailure(error, file));
  }
};

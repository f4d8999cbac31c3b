import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../domain/ids.ts';
import type { EventHeader, RecordedEvent } from '../domain/recorded-event.ts';
import type { Trouble } from '../domain/trouble.ts';

/** Why a look at a store shows nothing. */
export type ExaminationFailure = Trouble & {
  readonly _tag:
    /** The file is not there in a form that can be read: not a ledger's, damaged, or closed to this user. */
    | 'FileUnreadable'
    /** The server does not answer, or has no leader. */
    | 'ServerAway'
    /** The server is there, and the user may not read it. */
    | 'AccessDenied';
};

/** What `doctor` asks of a store, beside a ledger that serves it or without one. Nothing is written. */
export type Examination = {
  /** What the store is, in a few words, once it was seen to be whole as far as that is quick to see. */
  readonly about: TE.TaskEither<ExaminationFailure, string>;
  /** The last events, newest first, at most so many. */
  readonly newest: (most: number) => TE.TaskEither<ExaminationFailure, readonly EventHeader[]>;
  /** The event at a position; null where there is none. */
  readonly at: (position: Position) => TE.TaskEither<ExaminationFailure, RecordedEvent | null>;
  readonly close: () => Promise<void>;
};

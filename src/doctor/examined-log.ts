import type { SecretId } from '../domain/ids.ts';
import type { EventHeader } from '../domain/recorded-event.ts';
import type { Trouble } from '../domain/trouble.ts';
import type { ExaminationFailure } from '../event-store/examination.ts';

/** Why nothing of the event store could be read. */
export type LogAway = Trouble & {
  readonly _tag: 'Away';
  /** `FolderMissing`: of the file that EVENT_STORE_URL names not even the folder is there. */
  readonly reason: ExaminationFailure['_tag'] | 'FolderMissing';
};

/** What was found in the event store. */
export type ExaminedLog =
  /** There is no file yet. */
  | { readonly _tag: 'NotThere' }
  | LogAway
  | {
      readonly _tag: 'Read';
      readonly about: string;
      /** Newest first. */
      readonly newest: readonly EventHeader[];
      /** Whether these are all that there are. */
      readonly isWhole: boolean;
      /** The event that the read models say they include last; null where there is none at that position, or none was asked for. */
      readonly included: EventHeader | null;
      /** The same of the last event that was signed. */
      readonly signed: EventHeader | null;
      /** Secrets whose newest event is not signed with the value that they have now; not there where nobody asked for them. */
      readonly unproven?: readonly SecretId[];
    };

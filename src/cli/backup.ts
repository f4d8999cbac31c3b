import type { Position } from '../domain/ids.ts';
import { soMany } from '../domain/so-many.ts';

/** What a backup holds: the events up to a position (null: none yet), bank files, and its size and digest as a file. */
export type BackedUp = {
  readonly events: number;
  readonly position: Position | null;
  readonly bankFiles: number;
  readonly bytes: number;
  readonly sha256: string;
};

/** What to restore, and whether a ledger that is there already is kept under another name, or is in the way. */
export type RestoreRequest = {
  /** Null: standard input. */
  readonly from: string | null;
  readonly setAside: boolean;
};

/** What was restored, and under which name what was there before is kept; null where there was nothing. */
export type Restored = Omit<BackedUp, 'sha256'> & {
  readonly setAside: string | null;
  /** Whether checkpoints may have been signed of the log that the data directory does not keep. */
  readonly mayLackSigned: boolean;
};

/** What a line about a backup says of its bank files; nothing where it has none. */
export const andBankFiles = (bankFiles: number): string =>
  bankFiles === 0 ? '' : `, and ${soMany(bankFiles, 'bank file')}`;

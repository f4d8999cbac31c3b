import type * as E from 'fp-ts/lib/Either.js';
import type { HeldFile } from '../kept-place.ts';
import type { SetAsideEntry } from '../spool.ts';
import type { SpoolBatch } from './spool-batch.ts';
import type { SpoolIndexRow, StoredDelivery } from './spool-file.ts';
import type { SpoolOpenError } from './spool-open-error.ts';

/** What the keeper of a spool's file opens, and the locks that keep every other ledger out of it. */
export type KeeperOptions = { readonly file: string; readonly locks: readonly HeldFile[] };

/** What the keeper of a spool's file is asked. It does one after the other, in their order. */
export type SpoolQuestion =
  /**
   * To open the file, anew where it is open: answered with the first rows of what is there, and which file it is.
   * One that is known already is not made: where it is not under its name, nothing is opened.
   */
  | { readonly _tag: 'Open'; readonly known: HeldFile | null }
  /** Some rows behind a place, up to another one. */
  | { readonly _tag: 'NextRows'; readonly behind: number; readonly upTo: number }
  /** Answered with `Written` once it is in the file. */
  | { readonly _tag: 'Write'; readonly batch: SpoolBatch }
  | { readonly _tag: 'Read'; readonly seq: number }
  | { readonly _tag: 'ReadSetAside' }
  /** Whether something can be written. */
  | { readonly _tag: 'Probe' }
  /** Whether the file is where it was. */
  | { readonly _tag: 'Look' }
  /** To give back what the write-ahead log takes. */
  | { readonly _tag: 'TruncateLog' };

/** Some of what is counted, in order of arrival; `isLast`: there is nothing more. */
export type SpoolRows = { readonly rows: readonly SpoolIndexRow[]; readonly isLast: boolean };

/** What is found where a spool is opened, however much is in it: its first rows, and how far the others go. */
export type SpoolFound = SpoolRows & {
  /** The highest place of all; it may have a note alone, where somebody took out its delivery. */
  readonly highest: number;
  /** What is used of the file. */
  readonly usedBytes: number;
  /** Why what was promised may not be in it, and where what is left of that is kept; null where nothing says so. */
  readonly brokenLog: string | null;
};

/** Before every place in the order of arrival. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

export type SpoolAnswer =
  | ({ readonly _tag: 'Opened'; readonly known: HeldFile } & SpoolFound)
  | (SpoolRows & { readonly _tag: 'Rows' })
  /**
   * All of it is in the file that is open. `astray`: why that is not to be promised, since nobody else finds this file, or
   * what is in it; null where it is.
   */
  | { readonly _tag: 'Written'; readonly astray: string | null }
  | { readonly _tag: 'Delivery'; readonly delivery: StoredDelivery | null }
  | { readonly _tag: 'SetAside'; readonly entries: readonly SetAsideEntry[] }
  | { readonly _tag: 'Done' }
  | { readonly _tag: 'NotOpened'; readonly reason: SpoolOpenError }
  /** `isBroken`: what is on the disk is not known, and nothing more is answered before it is opened anew; else all is as it was. */
  | { readonly _tag: 'Failed'; readonly detail: string; readonly isBroken: boolean };

/** The way to the keeper of a spool's file. */
export type KeeperEnd = {
  /**
   * Answers come in the order of the questions. A Left says why none comes: whether it was done is not known, and the next
   * keeper has nothing open.
   *
   * @param transfer memory of the question that is given away, and is empty here then
   */
  readonly ask: (
    question: SpoolQuestion,
    transfer: readonly ArrayBuffer[],
  ) => Promise<E.Either<{ readonly detail: string }, SpoolAnswer>>;
  /** Lets it finish what it does and let go of the file, for a while; then it is left alone. */
  readonly close: () => Promise<void>;
};

import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../domain/ids.ts';
import { troubleLine } from '../domain/trouble.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { copyLog, removeLeftCopy } from '../event-store/sqlite/log-copy.ts';
import { openBeside, type SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';
import type { OnBuildProgress } from '../read-models/build-progress.ts';
import type { LedgerLocation } from './ledger-location.ts';

/** A log on this machine, up to a position, for what reads all of it. */
export type LocalLog = {
  /** For threads, which open it for themselves. */
  readonly location: SqliteLocation;
  readonly log: PartedLog;
  /** Takes a copy away again. */
  readonly close: () => Promise<void>;
};

/** The part that copying has in what reads a log from another machine, about. */
export const copyingShare = (location: LedgerLocation): number => (location.kind === 'sqlite' ? 0 : 0.6);

const PURPOSES = ['replay', 'verify'] as const;

/** What a copy is made for; one of each kind can be under way in a data directory. */
export type CopyPurpose = (typeof PURPOSES)[number];

const copyFile = (dataDir: string, purpose: CopyPurpose): string => join(dataDir, `${purpose}-copy.db`);

/** Removes what killed runs have left in a data directory: copies of the log, with all the personal data in it. */
export const removeLeftCopies = (dataDir: string): void => {
  for (const purpose of PURPOSES) removeLeftCopy(copyFile(dataDir, purpose));
};

/**
 * The log where it can be read by parts: the embedded store itself, or a copy of one on another machine, which is read
 * once from end to end. A copy takes as much room in the data directory as the log.
 *
 * @param onProgress told of the copying: the share that is done, 0 to 1, and the events so far
 */
export const localLog = async (
  store: Pick<EventStore, 'readAll'>,
  location: LedgerLocation,
  purpose: CopyPurpose,
  upTo: Position,
  onProgress: OnBuildProgress,
  signal?: AbortSignal,
): Promise<E.Either<StoreUnavailable, LocalLog>> => {
  const { dataDir } = location;
  const file = location.kind === 'sqlite' ? location.file : copyFile(dataDir, purpose);
  const copy = location.kind === 'sqlite' ? null : await copyLog(store, file, upTo, onProgress, signal);
  if (copy !== null && E.isLeft(copy)) return copy;
  const local: SqliteLocation = location.kind === 'sqlite' ? location : { dataDir, file };
  const opened = openBeside(local);
  if (E.isLeft(opened)) {
    copy?.right.remove();
    return E.left({ _tag: 'StoreUnavailable', detail: troubleLine(opened.left) });
  }
  return E.right({
    location: local,
    log: opened.right,
    close: async () => {
      await opened.right.close();
      copy?.right.remove();
    },
  });
};

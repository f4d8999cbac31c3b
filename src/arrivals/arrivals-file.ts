import { renameSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { readOwnFile } from '../files/own-file.ts';
import { ArrivalsSeen, NOTHING_SEEN } from './arrivals-seen.ts';
import { Arrivals } from './arrivals.ts';

/** The file in the data directory. */
export const ARRIVALS_FILE = 'arrivals.json';

/** At most so often is it written, whatever arrives: a file of 100 KB at the most. */
const WRITE_EVERY_MS = 5_000;

const OWNER_ONLY = { mode: 0o600 };

/** What the file says; nothing where it is not there, or is none of this ledger's. */
export const readArrivals = (file: string): ArrivalsSeen => {
  const json = E.tryCatch(
    (): unknown => JSON.parse(readOwnFile(file)),
    () => null,
  );
  return E.isRight(json) && ArrivalsSeen.is(json.right) ? json.right : NOTHING_SEEN;
};

/** Counts that outlast a restart. */
export type KeptArrivals = {
  readonly arrivals: Arrivals;
  /** Writes what is not written yet. */
  readonly close: () => void;
};

/**
 * Counts of arrivals that are kept in a file. It is written some seconds after a change and at the end; what a crash takes
 * are counts of seconds.
 *
 * @param onFailure told where it can't be written; deliveries are taken all the same
 * @param isKept whether the file is still this ledger's: where its folder is not, nothing is written
 */
export const keepArrivals = (
  file: string,
  nowMs: () => number,
  onFailure: (problem: string) => void,
  isKept: () => boolean = () => true,
): KeptArrivals => {
  const arrivals = new Arrivals(readArrivals(file));
  const draft = `${file}.part`;
  const text = (): string => JSON.stringify(arrivals.seen(nowMs()));
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    try {
      await writeFile(draft, text(), OWNER_ONLY);
      await rename(draft, file);
    } catch (error) {
      onFailure(String(error));
    } finally {
      writing = null;
    }
  };
  const timer = setInterval(() => {
    if (writing === null && arrivals.takeChanged() && isKept()) writing = write();
  }, WRITE_EVERY_MS).unref();
  return {
    arrivals,
    close: () => {
      clearInterval(timer);
      if (!arrivals.takeChanged() || !isKept()) return;
      try {
        // Beside a draft that may still be under way.
        writeFileSync(`${draft}.last`, text(), OWNER_ONLY);
        renameSync(`${draft}.last`, file);
      } catch (error) {
        onFailure(String(error));
      }
    },
  };
};

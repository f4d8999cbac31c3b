import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Included } from '../read-models.ts';
import type { Snapshot } from '../snapshot.ts';
import { directReadModels } from './direct-read-models.ts';
import { openAsItIs, openForQueries, readableMarkOf, readAnew, settingsOf } from './generation.ts';
import type { Generations } from './generations.ts';
import { openServing, used } from './open-serving.ts';
import { Queries } from './queries.ts';
import { createIndexes, createTables } from './schema.ts';

/** The serving generation, open for questions. */
export type OpenQueries = { readonly queries: Queries; readonly generation: number; readonly close: () => void };

/** What serves, for questions: also one that is being replaced because the business time zone has changed. */
export const openQueries = (generations: Generations): OpenQueries | null =>
  openServing(generations, (file, generation) =>
    used(openForQueries(file), (database) => {
      const mark = readableMarkOf(database);
      if (mark === null) return null;
      return {
        queries: new Queries(database, mark.timeZone, settingsOf(mark)),
        generation,
        close: () => database.close(),
      };
    }),
  );

/** Bytes that the journal of a generation may come to while a snapshot keeps it from being taken up. */
const LONGEST_JOURNAL = 1_073_741_824;

const journalBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** A snapshot that whoever holds it may move on. */
export type MovableSnapshot = Snapshot & {
  /** What tells the generation that it is of from others (see `stampOf`). */
  readonly stamp: number;
  /** The last event that it includes now; null: none. */
  readonly included: () => Included | null;
  /** From now on it is what serves now; `replaced`: it stays what it was, since something else serves. */
  readonly moveOn: () => 'moved' | 'replaced';
};

/**
 * What serves, as it is now, until it is closed or moved on; null where nothing does. It answers no more once the journal is too long and
 * grows: whoever reads it slowly would fill the disk with what changes meanwhile.
 */
export const openSnapshot = (
  generations: Generations,
  whenClosed: () => void = () => undefined,
  longestJournal = LONGEST_JOURNAL,
): MovableSnapshot | null =>
  openServing(generations, (file, generation) =>
    used(openAsItIs(file), (database) => {
      const mark = readableMarkOf(database);
      if (mark === null) return null;
      let before = journalBytes(file);
      const close = (): void => {
        database.close();
        whenClosed();
      };
      const queries = new Queries(database, mark.timeZone, settingsOf(mark));
      const snapshot = directReadModels(queries, close, () => {
        const now = journalBytes(file);
        return now > longestJournal && now > before ? 'too much has changed since this was begun; begin again' : null;
      });
      const moveOn = (): 'moved' | 'replaced' => {
        if (generations.serving() !== generation) return 'replaced';
        readAnew(database);
        before = journalBytes(file);
        return 'moved';
      };
      return { ...snapshot, stamp: queries.stamp(), included: () => queries.included(), moveOn };
    }),
  );

/** Questions of a log without any event: nothing is kept of it. */
export const emptyQueries = (timeZone: string): OpenQueries => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  return { queries: new Queries(database, timeZone), generation: 0, close: () => database.close() };
};

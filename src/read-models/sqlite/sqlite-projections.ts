import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../domain/business-day.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import { compared } from '../compared.ts';
import type { Included } from '../read-models.ts';
import type { Snapshot } from '../snapshot.ts';
import { directReadModels } from './direct-read-models.ts';
import {
  markFor,
  markOf,
  settingsOf,
  type GenerationMark,
  openAsItIs,
  openForQueries,
  readAnew,
} from './generation.ts';
import { Generations } from './generations.ts';
import { openServing, used } from './open-serving.ts';
import { Queries } from './queries.ts';
import { createIndexes, createTables } from './schema.ts';

/** The serving generation, open for questions. */
export type OpenQueries = { readonly queries: Queries; readonly generation: number; readonly close: () => void };

const readable = (database: Database.Database): GenerationMark | null => {
  const mark = markOf(database);
  // Another version of the projections may have other tables; the zone is only what reports say theirs is.
  return mark !== null && mark.projections === markFor('').projections ? mark : null;
};

/** What serves, for questions: also one that is being replaced because the business time zone has changed. */
export const openQueries = (generations: Generations): OpenQueries | null =>
  openServing(generations, (file, generation) =>
    used(openForQueries(file), (database) => {
      const mark = readable(database);
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
      const mark = readable(database);
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

/** The serving generation as it is, for `verify`. `checkpoint`: one that it has reached. */
export type OpenGeneration = {
  readonly generation: number;
  readonly database: Database.Database;
  readonly timeZone: string;
  /** What its match was made with. */
  readonly settings: MatchSettings;
  readonly checkpoint: Included | null;
  readonly close: () => void;
};

/** Whether what is committed later is seen: `of-one-moment` keeps the file's journal from being taken up, and is for little. */
type Seen = 'as-it-goes-on' | 'of-one-moment';

const openForVerification = (generations: Generations, seen: Seen): OpenGeneration | null =>
  openServing(generations, (file, generation) =>
    used(seen === 'of-one-moment' ? openAsItIs(file) : openForQueries(file), (database) => {
      const mark = readable(database);
      if (mark === null) return null;
      const { timeZone } = mark;
      // One that is none is no zone of a mark that any version makes.
      const calendar = compared(
        () => businessCalendar(timeZone),
        () => null,
      );
      if (calendar === null) return null;
      const checkpoint = new Queries(database, timeZone).included();
      return { generation, database, timeZone, settings: settingsOf(mark), checkpoint, close: () => database.close() };
    }),
  );

/** Opens what serves to compare it with the log. `none`: nothing was built yet, or no file is named; `unreadable`: it is damaged, or of another version. */
export const servingGeneration = (
  file: string | null,
  seen: Seen = 'as-it-goes-on',
): OpenGeneration | 'none' | 'unreadable' => {
  const generations = file !== null && existsSync(file) ? Generations.open(file) : null;
  if (generations === null) return 'none';
  if (E.isLeft(generations)) return 'unreadable';
  try {
    if (generations.right.serving() === 0) return 'none';
    return openForVerification(generations.right, seen) ?? 'unreadable';
  } finally {
    generations.right.close();
  }
};

/** Questions of a log without any event: nothing is kept of it. */
export const emptyQueries = (timeZone: string): OpenQueries => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  return { queries: new Queries(database, timeZone), generation: 0, close: () => database.close() };
};

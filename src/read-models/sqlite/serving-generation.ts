import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../domain/business-day.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { compared } from '../compared.ts';
import type { Included } from '../read-models.ts';
import { openAsItIs, openForQueries, readableMarkOf, settingsOf, stampOf } from './generation.ts';
import { Generations } from './generations.ts';
import { includedIn } from './included-event.ts';
import { openServing, used } from './open-serving.ts';

/** A generation that lies there, and how far it is. */
export type Lying = { readonly stamp: number; readonly included: Included | null };

/** What serves and is of this version, made with other settings maybe; null: nothing that can be read. */
export const lyingIn = (generations: Generations): Lying | null =>
  openServing(generations, (file) => {
    const database = openForQueries(file);
    try {
      if (readableMarkOf(database) === null) return null;
      return { stamp: stampOf(database), included: includedIn(new SqliteStatements(database)) };
    } finally {
      database.close();
    }
  });

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
      const mark = readableMarkOf(database);
      if (mark === null) return null;
      const { timeZone } = mark;
      // One that is none is no zone of a mark that any version makes.
      const calendar = compared(
        () => businessCalendar(timeZone),
        () => null,
      );
      if (calendar === null) return null;
      const checkpoint = includedIn(new SqliteStatements(database));
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

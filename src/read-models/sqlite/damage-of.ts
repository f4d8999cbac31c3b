import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { Generations } from './generations.ts';
import { hasNoRoom } from './no-room.ts';

const ANEW = '"ramp-ledger replay" makes the read models anew';

/** What is wrong with the file of a generation, an error where it was one; null where it can be read through. */
const troubleIn = (file: string): Error | string | null => {
  let database: Database.Database | null = null;
  try {
    database = openReadOnly(file);
    const found = String(database.pragma('quick_check(1)', { simple: true }));
    return found === 'ok' ? null : found.replaceAll(/\s+/g, ' ');
  } catch (error) {
    return error instanceof Error ? error : String(error);
  } finally {
    database?.close();
  }
};

/** Why the file of a generation can't be read through; null where it can. Reads all of it, which takes seconds for gigabytes. */
export const damageIn = (file: string): string | null => {
  const found = troubleIn(file);
  return found instanceof Error ? found.message : found;
};

/** What an error of reading a file was and what helps: to make read models anew takes room too, and none where it is wanted. */
export const unreadWords = (file: string, error: unknown): string => {
  const what = `${file} can't be read (${error instanceof Error ? error.message : String(error)})`;
  return hasNoRoom(error) ? `${what}; there is no room on its disk: make room, and ask again` : `${what}; ${ANEW}`;
};

/** Which file of the read models that serve can't be read, why, and what helps, in one line; null where all can. */
export const damageOf = (readModelFile: string): string | null => {
  const generations = existsSync(readModelFile) ? Generations.open(readModelFile) : null;
  if (generations === null) return null;
  if (E.isLeft(generations)) return generations.left.detail;
  try {
    const serving = generations.right.serving();
    const file = generations.right.fileOf(serving);
    const found = serving === 0 || !existsSync(file) ? null : troubleIn(file);
    return found === null ? null : unreadWords(file, found);
  } catch (error) {
    return unreadWords(readModelFile, error);
  } finally {
    generations.right.close();
  }
};

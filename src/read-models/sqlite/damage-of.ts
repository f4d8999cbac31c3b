import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { Generations } from './generations.ts';

/** Why the file of a generation can't be read through; null where it can. Reads all of it, which takes seconds for gigabytes. */
export const damageIn = (file: string): string | null => {
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    const found = String(database.pragma('quick_check(1)', { simple: true }));
    return found === 'ok' ? null : found.replaceAll(/\s+/g, ' ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database?.close();
  }
};

/** Which file of the read models that serve is damaged, and how, in one line; null where none is. */
export const damageOf = (readModelFile: string): string | null => {
  const generations = existsSync(readModelFile) ? Generations.open(readModelFile) : null;
  if (generations === null) return null;
  if (E.isLeft(generations)) return generations.left.detail;
  try {
    const serving = generations.right.serving();
    const file = generations.right.fileOf(serving);
    const found = serving === 0 || !existsSync(file) ? null : damageIn(file);
    return found === null ? null : `${file} can't be read (${found})`;
  } catch (error) {
    return `${readModelFile} can't be read (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    generations.right.close();
  }
};

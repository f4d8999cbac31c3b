import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../../src/domain/trouble.ts';
import { openSpoolFile } from '../../src/event-store/spool/open-spool-file.ts';
import { openDatabase, openReader } from '../../src/event-store/sqlite/open-database.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';

/** A program that opens all that it may, and says what opening each file of a data directory ends with then. */
const [, , folder = ''] = process.argv;

const areAllOpen = (): boolean => {
  try {
    openSync(devNull, 'r');
    return false;
  } catch {
    return true;
  }
};

while (!areAllOpen());

const why = (opened: E.Either<Parameters<typeof troubleLine>[0], unknown>): string =>
  E.isLeft(opened) ? troubleLine(opened.left) : 'it was opened';

const readModels = Generations.open(`${folder}/read-models.db`);
const lines = [
  why(openDatabase(`${folder}/events.db`)),
  why(openReader(`${folder}/events.db`)),
  why(openSpoolFile(`${folder}/spool.db`)),
  E.isLeft(readModels) ? readModels.left.detail : 'it was opened',
];
process.stdout.write(`${lines.join('\n')}\n`);

import { existsSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { Generations } from './generations.ts';
import { OrderNumbers } from './orders/order-numbers.ts';

const MOST = 3;

/**
 * Those of some ids that orders have, at most three, by the read models as they are: nothing is built or brought up to date
 * for it, each id is one look into an index. None where nothing serves.
 */
export const knownOrders = (readModelFile: string, ids: readonly string[]): readonly string[] => {
  if (!existsSync(readModelFile)) return [];
  const generations = Generations.open(readModelFile);
  if (E.isLeft(generations)) return [];
  const serving = generations.right.serving();
  const file = generations.right.fileOf(serving);
  generations.right.close();
  if (serving === 0 || !existsSync(file)) return [];
  const database = openReadOnly(file);
  try {
    const numbers = new OrderNumbers(database);
    const found: string[] = [];
    for (const id of ids) {
      if (found.length === MOST) break;
      if (numbers.numberOf(id) !== null) found.push(id);
    }
    return found;
  } finally {
    database.close();
  }
};

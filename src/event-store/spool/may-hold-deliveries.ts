import * as E from 'fp-ts/lib/Either.js';
import { BEFORE_ALL } from './keeper-message.ts';
import { readSpool } from './read-spool-state.ts';
import { spoolStatements } from './spool-statements.ts';

/** So many places are looked at, however many there are: a start waits for it. */
const MOST_LOOKED_AT = 1_000;

/**
 * Whether deliveries may wait in a spool, as far as its first places tell. Where so many are set aside that these don't, or it
 * can't be read, they may: whoever opens it counts them, or says why that is not possible.
 */
export const mayHoldDeliveries = (file: string): boolean => {
  const places = { behind: BEFORE_ALL, up_to: Number.MAX_SAFE_INTEGER, most: MOST_LOOKED_AT };
  const looked = readSpool(file, false, (statements) => {
    const rows = statements.all(spoolStatements.index, places);
    return rows.length === MOST_LOOKED_AT || rows.some(({ is_set_aside: isSetAside }) => isSetAside === 0);
  });
  return E.isLeft(looked) || looked.right === true;
};

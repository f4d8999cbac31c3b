import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { EventRow } from './event-statements.ts';

/** A stream may have some hundred thousand events: others in this thread have their turn in between. */
export const EVENTS_A_TURN = 20;

/** Likewise, as an event may be of a megabyte, which takes ten milliseconds of texts that are no ASCII: the last one goes beyond it. */
export const BYTES_A_TURN = 262_144;

/** Rows until they come to so many bytes, the last one apart; whether these are all. */
export const rowsUpTo = (
  all: Iterable<EventRow>,
  most: number,
): { readonly rows: readonly EventRow[]; readonly isWhole: boolean } => {
  const rows: EventRow[] = [];
  let bytes = 0;
  for (const row of all) {
    rows.push(row);
    bytes += row.data.length + row.metadata.length + (row.raw_body?.length ?? 0);
    if (bytes >= most) return { rows, isWhole: false };
  }
  return { rows, isWhole: true };
};

/**
 * Reads what stands at positions, others in this thread having their turn in between.
 *
 * @param failed what the store says of what was thrown
 */
export const inTurns = async <A>(
  positions: readonly Position[],
  read: (position: Position) => readonly A[],
  bytesOf: (found: A) => number,
  failed: (error: unknown) => StoreUnavailable,
): Promise<E.Either<StoreUnavailable, readonly A[]>> => {
  const found: A[] = [];
  let [events, bytes] = [0, 0];
  try {
    for (const position of positions) {
      if (events >= EVENTS_A_TURN || bytes >= BYTES_A_TURN) {
        await turn();
        [events, bytes] = [0, 0];
      }
      for (const one of read(position)) {
        found.push(one);
        bytes += bytesOf(one);
      }
      events += 1;
    }
    return E.right(found);
  } catch (error) {
    return E.left(failed(error));
  }
};

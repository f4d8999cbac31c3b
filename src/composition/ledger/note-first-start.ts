import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../concurrency/in-time.ts';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { noteLogBegun } from '../../proofs/files/begun-here.ts';
import { unknownPast } from '../../proofs/files/unknown-past.ts';

/** A store that is away keeps no start waiting: whatever it has is judged when it is there. */
const ASKED_FOR_MS = 2_000;

/**
 * Notes, before any delivery is taken, that a log without events begins here under a name and key from elsewhere, configured ones
 * say: its first events are then its own, also where the ledger is ended before it has signed. The store is asked only where
 * nothing was signed yet. A Left says why it could not be noted; the first checkpoint says as much.
 */
export const noteFirstStart = async (
  { dataDir, logIdentity }: Pick<Config, 'dataDir' | 'logIdentity'>,
  store: Pick<EventStore, 'head'>,
): Promise<E.Either<string, void>> => {
  try {
    if (logIdentity === null || unknownPast(dataDir, logIdentity)?.isAll !== true) return E.right(undefined);
    const head = await inTime(ASKED_FOR_MS, store.head()(), null);
    if (head !== null && E.isRight(head) && head.right === null) noteLogBegun(dataDir, logIdentity);
    return E.right(undefined);
  } catch (error) {
    return E.left(error instanceof Error ? error.message : String(error));
  }
};

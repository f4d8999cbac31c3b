import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { Readiness } from '../../event-store/event-store.ts';
import { askForState } from '../../event-store/sqlite/append-socket.ts';
import { socketOf, type SqliteLocation } from '../../event-store/sqlite/sqlite-event-store.ts';
import { storeInUse } from '../../event-store/sqlite/store-in-use.ts';

const ANSWER_WITHIN_MS = 3_000;

const NotReady = t.type({ ready: t.literal(false) });

/**
 * Whether a command's append could succeed now: not where another ledger has the file, nor where the one that serves from the
 * data directory tells that it could take none. Where none serves, or it tells nothing, whoever appends will hear.
 */
export const servingReadiness = (location: SqliteLocation) => async (): Promise<Readiness> => {
  const taken = storeInUse(location);
  if (taken !== null) return { ready: false, detail: troubleLine(taken), reason: 'InUse' };
  const told = await askForState(socketOf(location.dataDir), ANSWER_WITHIN_MS);
  return E.isRight(told) && NotReady.is(told.right)
    ? { ready: false, detail: 'the ledger that serves could not take it now: run "ramp-ledger doctor"' }
    : { ready: true };
};

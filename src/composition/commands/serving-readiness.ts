import * as t from 'io-ts';
import type { Readiness } from '../../event-store/event-store.ts';
import { askForState } from '../../event-store/sqlite/append-socket.ts';
import { socketOf } from '../../event-store/sqlite/sqlite-event-store.ts';

const ANSWER_WITHIN_MS = 3_000;

const NotReady = t.type({ ready: t.literal(false) });

/**
 * Whether the ledger that serves from a data directory could take an append now, as it tells. Where none serves, or it tells
 * nothing, whoever appends will hear.
 */
export const servingReadiness = (dataDir: string) => async (): Promise<Readiness> =>
  NotReady.is(await askForState(socketOf(dataDir), ANSWER_WITHIN_MS))
    ? { ready: false, detail: 'the ledger that serves could not take it now: run "ramp-ledger doctor"' }
    : { ready: true };

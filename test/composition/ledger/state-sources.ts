import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StateSources } from '../../../src/composition/ledger/ledger-state.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { noProofLog } from '../../../src/proofs/no-proof-log.ts';
import { positionAt } from '../../../src/domain/position.ts';

/** The clock of these sources, in ms. */
export const NOW = 1_700_000_000_000;

/** What is never answered. */
export const never = (): Promise<never> => new Promise(() => undefined);

/** A healthy ledger of seven events, whose fourth generation of read models has them all. */
export const stateSources = (): StateSources => ({
  config: { dataDir: '.' },
  store: {
    head: () => TE.right(positionAt(7)),
    readAll: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }),
  },
  storeReadiness: () => ({ ready: true }),
  readModels: {
    progress: () => ({ checkpoint: { position: positionAt(7), at: instantOf(NOW) }, building: null }),
  },
  generation: () => 4,
  readiness: () => ({ ready: true }),
  spool: () => null,
  proofs: noProofLog,
  threads: { down: () => [], working: () => new Map() },
  eventsDamaged: () => false,
  secrets: () => ({ webhook: { active: [], retired: [] }, apiKeys: [] }),
  now: () => instantOf(NOW),
});

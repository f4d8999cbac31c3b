import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ProofLog, ProofsBehind } from './proof-log.ts';

const NOTHING: TE.TaskEither<ProofsBehind, never> = TE.left({
  _tag: 'ProofsBehind',
  detail: null,
});

/** The log of a ledger that signs nothing. */
export const noProofLog: ProofLog = {
  verifierLine: null,
  including: () => NOTHING,
  newest: () => NOTHING,
  noteOf: () => NOTHING,
  rootOf: () => NOTHING,
  indexOf: () => NOTHING,
  positions: () => NOTHING,
  inclusion: () => NOTHING,
  consistency: () => NOTHING,
  tile: () => NOTHING,
};

import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ProofFailure, ProofLog, ProofsBehind } from './proof-log.ts';

const BEHIND: ProofsBehind = { _tag: 'ProofsBehind', detail: null };
const NOTHING: TE.TaskEither<ProofsBehind, never> = TE.left(BEHIND);

/** A log of which nothing is proven, for a reason. */
export const failedProofLog = (failure: ProofFailure): ProofLog => ({
  verifierLine: () => null,
  verifierLines: () => [],
  formerLogs: () => [],
  witnesses: () => [],
  signList: () => E.left(BEHIND),
  including: () => TE.left(failure),
  newest: () => TE.left(failure),
  handed: () => E.left(failure),
  noteOf: () => NOTHING,
  rootOf: () => NOTHING,
  indexOf: () => NOTHING,
  positions: () => NOTHING,
  inclusion: () => NOTHING,
  consistency: () => NOTHING,
  bundle: () => NOTHING,
  tile: () => NOTHING,
});

/** The log of a ledger that signs nothing. */
export const noProofLog = failedProofLog(BEHIND);

import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ProofLog, ProofsBehind } from './proof-log.ts';

const BEHIND: ProofsBehind = { _tag: 'ProofsBehind', detail: null };
const NOTHING: TE.TaskEither<ProofsBehind, never> = TE.left(BEHIND);

/** The log of a ledger that signs nothing. */
export const noProofLog: ProofLog = {
  verifierLine: () => null,
  verifierLines: () => [],
  formerLogs: () => [],
  witnesses: () => [],
  signList: () => E.left(BEHIND),
  including: () => NOTHING,
  newest: () => NOTHING,
  handed: () => null,
  noteOf: () => NOTHING,
  rootOf: () => NOTHING,
  indexOf: () => NOTHING,
  positions: () => NOTHING,
  inclusion: () => NOTHING,
  consistency: () => NOTHING,
  tile: () => NOTHING,
};

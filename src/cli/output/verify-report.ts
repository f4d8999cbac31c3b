import type { EventFailure } from '../../ledger/verify-stream.ts';
import type { CheckpointFailure } from '../../proofs/hold-to-checkpoints.ts';
import type { ReadModelFailure } from '../../read-models/verification.ts';
import type { DamagedFile } from '../../statements/damaged-file.ts';

/** What `verify` answers (docs/spec/command-line.md, verify). */
export type VerifyReport = {
  readonly events: number;
  readonly orders: number;
  readonly failures: readonly (EventFailure | ReadModelFailure | CheckpointFailure | DamagedFile)[];
  /** Events whose secret is not configured any more: all but their signature was checked. No failure. */
  readonly unknownSecrets: number;
};

import { statfs } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Config, Secrets } from '../../config/index.ts';
import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { ProofFailure, ProofLog, SignedLog } from '../../proofs/proof-log.ts';
import type { WitnessState } from '../../proofs/witness/witness-state.ts';
import type { Checkpoint, ReadModels } from '../../read-models/read-models.ts';
import { readLag } from './read-lag.ts';
import type { ThreadStates } from './thread-states.ts';
import { withinTime } from './within-time.ts';

/** Where it is read from how a ledger is. */
export type StateSources = {
  readonly config: Pick<Config, 'dataDir'>;
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  /** Whether the event store takes deliveries. */
  readonly storeReadiness: () => Readiness;
  readonly readModels: Pick<ReadModels, 'progress'>;
  /** Number of the generation that serves; null before one does. */
  readonly generation: () => number | null;
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** Null where there is none. */
  readonly spool: () => SpoolState | null;
  readonly proofs: Pick<ProofLog, 'newest' | 'witnesses'>;
  readonly threads: Pick<ThreadStates, 'down' | 'working'>;
  /** Whether a damaged page of the events was met. */
  readonly eventsDamaged: () => boolean;
  readonly secrets: () => Secrets;
  readonly now: () => Instant;
};

/** How a ledger is. */
export type LedgerState = {
  readonly at: Instant;
  /** Whether a delivery could be accepted now, by the event store or by the spool. */
  readonly deliveries: Readiness;
  readonly eventStore: Readiness;
  /** Whether a page of the file of events is damaged: met by a question, or what else reads it. */
  readonly eventsDamaged: boolean;
  /** Where the log ends, null for an empty one; null: not known in time. */
  readonly log: { readonly head: Position | null } | null;
  readonly readModels: {
    /** Number of the generation that serves; null before one does. */
    readonly generation: number | null;
    readonly checkpoint: Checkpoint | null;
    /** The share of a build that is done, 0 to 1; null: none is under way. */
    readonly building: number | null;
    /** The age of the first event that they lack, 0 where they lack none; null: not known, or none serve. */
    readonly lagSeconds: number | null;
  };
  /** The log as it is signed, or why it is not. */
  readonly signed: E.Either<ProofFailure, SignedLog>;
  readonly witnesses: readonly WitnessState[];
  /** Null where there is none. */
  readonly spool: SpoolState | null;
  /** The threads that are down, from when on, and why. */
  readonly threadsDown: ReturnType<ThreadStates['down']>;
  /** Whether each thread works, by its name. */
  readonly threadsWorking: ReturnType<ThreadStates['working']>;
  /** Null: not known in time. */
  readonly dataDiskFreeBytes: number | null;
  readonly webhookSecrets: Secrets['webhook'];
};

/** What is free for the ledger on the disk of a folder; null: that can't be told. */
const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );

const known = <A>(answer: E.Either<unknown, A> | null): A | null =>
  answer === null || E.isLeft(answer) ? null : answer.right;

/**
 * Gathers how the ledger is, for whoever shows it: the console and the page of metrics. It never fails, and waits no longer
 * than the given ms for a store or a disk.
 */
export const ledgerState = (sources: StateSources): ((withinMs: number) => Promise<LedgerState>) => {
  const { config, store, storeReadiness, readModels, generation, readiness, spool, proofs, threads, secrets, now } =
    sources;
  const { eventsDamaged } = sources;
  const lag = withinTime(() => readLag(store, readModels.progress().checkpoint, now));
  const free = withinTime(() => freeBytes(config.dataDir));
  return async (withinMs) => {
    const [behind, disk] = await Promise.all([lag(withinMs), free(withinMs)]);
    const logged = known(behind);
    const serving = generation();
    return {
      at: now(),
      deliveries: readiness(),
      eventStore: storeReadiness(),
      eventsDamaged: eventsDamaged(),
      log: logged === null ? null : { head: logged.head },
      readModels: {
        ...readModels.progress(),
        generation: serving,
        // What serves nothing yet is not behind: it is being built.
        lagSeconds: serving === null ? null : (logged?.seconds ?? null),
      },
      signed: await proofs.newest()(),
      witnesses: proofs.witnesses().map(({ state }) => state),
      spool: spool(),
      threadsDown: threads.down(),
      threadsWorking: threads.working(),
      dataDiskFreeBytes: disk,
      webhookSecrets: secrets().webhook,
    };
  };
};

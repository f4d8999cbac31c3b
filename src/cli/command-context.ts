import type * as E from 'fp-ts/lib/Either.js';
import type { ChainLookup } from '../chain/chain-lookup.ts';
import type { DoctorCheck } from '../doctor/doctor-check.ts';
import type { Position, RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { LineKey } from '../domain/line-key.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { ImportReport } from '../ledger/import-report.ts';
import type { MigrationLogs } from '../ledger/migrate.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import type { Checkpoint } from '../proofs/checkpoint.ts';
import type { ProofLog } from '../proofs/proof-log.ts';
import type { TakeMonths } from '../queries/periods/one-by-one.ts';
import type { TakeImportTurn } from '../queries/statements/import-turn.ts';
import type { StatementFiles } from '../queries/statements/statement-files.ts';
import type { Built, OnBuildProgress } from '../read-models/build-progress.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import type { Upstream } from '../tokens/upstream.ts';
import type { BackedUp, Restored, RestoreRequest } from './backup.ts';
import type { CommandFailure } from './command-failure.ts';
import type { Draft } from './draft.ts';
import type { VerifyReport } from './output/verify-report.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** The log as it is signed with all events of now. */
export type SignedLogOfNow = { readonly proofs: ProofLog; readonly close: () => void };

/** The ledger as a command sees it, whether one serves at the same time or not. */
export type OpenLedger = {
  readonly store: Pick<
    EventStore,
    | 'readStream'
    | 'streamPages'
    | 'lastOfStream'
    | 'readAll'
    | 'readAt'
    | 'headersAt'
    | 'head'
    | 'readiness'
    | 'append'
    | 'parsePosition'
    | 'close'
  >;
  readonly secretKey: SecretKeyById;
  readonly statementFiles: StatementFiles;
  /** Keeps imports of bank files by other processes away. */
  readonly importTurn: TakeImportTurn;
  /** Draws a new key for the ids of bank lines, where the log has none. */
  readonly drawLineKey: () => LineKey;
  readonly businessTimeZone: string;
  /** How many days a settled order is expected at the bank before it is missed. */
  readonly matchDueDays: number;
  /** Those of some ids that orders have, a few at most, by the read models as they are. */
  readonly knownOrders: (ids: readonly string[]) => readonly string[];
  /** Opens the read models as they are at the log's head of now, to which they are brought; they are built where there are none. */
  readonly readModels: (onProgress: OnBuildProgress) => Promise<E.Either<CommandFailure, Snapshot>>;
  /** Proves the log and the read models, and holds the log to its checkpoints. `checkpoint`: a file with one more. */
  readonly verify: (
    onProgress: OnBuildProgress,
    checkpoint: string | null,
  ) => Promise<E.Either<CommandFailure, VerifyReport>>;
  /** The signed checkpoint of all events of now. `loss`: what somebody says who accepts that the log has lost events. */
  readonly checkpoint: (
    loss: string | null,
  ) => Promise<E.Either<CommandFailure, Checkpoint & { readonly note: string }>>;
  /** What proofs are made of, with all events of now. */
  readonly signedLog: () => Promise<E.Either<CommandFailure, SignedLogOfNow>>;
  /** How many deliveries wait for the event store; null: that is not known now. */
  readonly waiting: () => number | null;
  readonly takeMonths: TakeMonths;
  /** The note of the newest checkpoint that was signed; null where there is none. */
  readonly newestNote: () => string | null;
  /** Builds fresh read models beside the serving ones and takes them into use. */
  readonly replay: (onProgress: OnBuildProgress) => Promise<E.Either<CommandFailure, Built>>;
};

/** Which stores a migration is between, as URLs; null: the configured one. */
export type MigrationUrls = { readonly from: string | null; readonly to: string | null };

/** The two stores of a migration; nobody else writes to the target. */
export type MigrationStores = MigrationLogs & {
  /** The share of the source, 0 to 1, that ends at a position, about. */
  readonly shareOf: (position: Position, last: Position) => number;
  readonly close: () => Promise<void>;
};

/** Where a command writes: its answer to standard output, all else to standard error. */
export type Terminal = {
  readonly out: (text: string | Uint8Array) => void;
  readonly note: (text: string) => void;
  /** Moves the cursor and draws over lines of standard error, for a bar. */
  readonly draw: (text: string) => void;
  /** Writes bytes to standard output as fast as it takes them. */
  readonly pipeOut: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Whether all of that is thrown away, though every write of it succeeds. */
  readonly outIsLost: boolean;
  /** The bytes of standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Whether standard error is a person's terminal, so that progress is worth showing. */
  readonly interactive: boolean;
  /** How many characters a line of standard output holds, where that is a terminal; null: it is none, and takes any. */
  readonly width: number | null;
  /** Whether standard output takes colours: a terminal, and nobody said NO_COLOR. */
  readonly coloured: boolean;
};

/** What commands are given by the composition root. */
export type CommandContext = {
  readonly terminal: Terminal;
  readonly now: () => Instant;
  readonly newRequestId: () => RequestId;
  /** Begins a draft of a file, which a signal that ends the command removes; those that killed commands have left are removed. */
  readonly beginDraft: (out: string) => Promise<Draft>;
  /** Why nothing may be written in the place of what is at a path: it is no file, or the ledger's own; null: it may. */
  readonly outFault: (file: string) => Promise<string | null>;
  readonly openLedger: () => Promise<E.Either<CommandFailure, OpenLedger>>;
  readonly openForMigration: (urls: MigrationUrls) => Promise<E.Either<CommandFailure, MigrationStores>>;
  /** Copies all events into a file (null: standard output), while a ledger serves. */
  readonly backUp: (out: string | null, onProgress: OnBuildProgress) => Promise<E.Either<CommandFailure, BackedUp>>;
  /** Puts a backup in the place of the events, while none serves. */
  readonly restore: (request: RestoreRequest) => Promise<E.Either<CommandFailure, Restored>>;
  /** Brings in past deliveries from a file (`-`: standard input), beside a ledger that serves or without. */
  readonly importPast: (file: string, onProgress: OnBuildProgress) => Promise<E.Either<CommandFailure, ImportReport>>;
  /** The nodes of chains as the environment says them; nothing is sent yet. */
  readonly openChains: () => Promise<E.Either<CommandFailure, ChainLookup>>;
  /** Opens the provider as the environment says it; nothing is sent yet. */
  readonly openUpstream: () => Promise<E.Either<CommandFailure, Upstream>>;
  /**
   * Looks at all that the ledger stands on (docs/spec/command-line.md, doctor). It changes nothing, and never fails:
   * what it meets is a check.
   */
  readonly diagnose: () => Promise<readonly DoctorCheck[]>;
  /** Runs the ledger until it is told to stop. */
  readonly serve: () => Promise<E.Either<CommandFailure, void>>;
  /** Runs the sandbox provider until it is told to stop. */
  readonly sandbox: (options: SandboxOptions) => Promise<E.Either<CommandFailure, void>>;
  /** Runs a ledger and a sandbox that plays orders into it until it is told to stop. */
  readonly demo: () => Promise<E.Either<CommandFailure, void>>;
};

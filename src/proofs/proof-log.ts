import type * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { LogIdentity } from './checkpoint.ts';
import type { AcceptedLoss } from './files/accepted-losses.ts';
import type { Continued, Included } from './held-tree.ts';
import type { Hash } from './merkle-tree.ts';
import type { WitnessState } from './witness/witness-state.ts';
import type { Tile } from './tile.ts';

/** The log does not contain a checkpoint that this ledger signed. */
type HistoryLost = { readonly _tag: 'HistoryLost'; readonly detail: string };

/** The tree is not as far as is asked for, or can't be read now: then `detail` says why; null where one only has to wait. */
export type ProofsBehind = { readonly _tag: 'ProofsBehind'; readonly detail: string | null };

export type ProofFailure = HistoryLost | ProofsBehind;

/** The log at the newest checkpoint. */
export type SignedLog = {
  readonly note: string;
  readonly size: number;
  /** Of its last event; null for a log without any. */
  readonly position: Position | null;
  readonly signedAt: Instant;
};

/** The log as it is signed at a time, to be served out of the same files by another thread. */
export type HandedLog = {
  readonly dataDir: string;
  readonly identity: LogIdentity;
  readonly witnesses: readonly { readonly line: string; readonly name: string }[];
  readonly signed: SignedLog;
};

/**
 * What proofs are made of: the tree of the log, as far as it is signed. Sizes are at most that of the newest checkpoint, and
 * whatever is answered leads to its root: while the files are made of another log nothing is proven.
 */
export type ProofLog = {
  /** The line that notes are verified with; null where nothing is signed. */
  readonly verifierLine: () => string | null;

  /** The lines that notes of this log are verified with: of its key, and of those that have signed before it. */
  readonly verifierLines: () => readonly string[];

  /** The logs of other names that this one was before, each until somebody accepted that events were lost; oldest first. */
  readonly formerLogs: () => readonly AcceptedLoss[];

  /** The signature of a list of files with the key that signs checkpoints. The text must not be able to be a checkpoint. */
  readonly signList: (list: string) => E.Either<ProofsBehind, Buffer>;

  /** Those that are configured, each with the line of its key and how it stands with it. */
  readonly witnesses: () => readonly { readonly line: string; readonly state: WitnessState }[];

  /** The newest checkpoint, as soon as it includes a position; it is waited for so many milliseconds at the longest. */
  readonly including: (position: Position | null, withinMs: number) => TE.TaskEither<ProofFailure, SignedLog>;

  /** The newest checkpoint of now. */
  readonly newest: () => TE.TaskEither<ProofFailure, SignedLog>;

  /** The log as it is signed now, for another thread, or why nothing is proven. */
  readonly handed: () => E.Either<ProofFailure, HandedLog>;

  /** The note of a size: signed only of a tree that the newest checkpoint is found to go on from. */
  readonly noteOf: (size: number) => TE.TaskEither<ProofFailure, string>;

  readonly rootOf: (size: number) => TE.TaskEither<ProofFailure, Hash>;

  /** Index of the leaf of the event at a position, among the first `size`; null where it is none of them. */
  readonly indexOf: (position: Position, size: number) => TE.TaskEither<ProofFailure, number | null>;

  /** Positions of the events of some leaves, so many from an index on. What is at them is to be held to the leaves. */
  readonly positions: (index: number, count: number) => TE.TaskEither<ProofFailure, readonly Position[]>;

  /** That a leaf, given as its hash, has an index. Behind where another leaf was signed there: the keeper finds out whether that is the tree's fault or the log's. */
  readonly inclusion: (leaf: Hash, index: number, size: number) => TE.TaskEither<ProofFailure, Included>;

  readonly consistency: (from: number, to: number) => TE.TaskEither<ProofFailure, Continued>;

  /** That events have the leaves of a tile, given as their hashes, one behind the other. */
  readonly bundle: (tile: Tile, leaves: Buffer) => TE.TaskEither<ProofFailure, void>;

  /** The hashes of a tile, one behind the other. */
  readonly tile: (level: number, tile: Tile) => TE.TaskEither<ProofFailure, Buffer>;
};

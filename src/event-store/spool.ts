import type * as T from 'fp-ts/lib/Task.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { VerifiedDelivery } from '../domain/delivery.ts';
import type { RequestId, Sha256 } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Readiness } from './event-store.ts';

/** A delivery that waits for the event store, exactly as it came; what it says is read again from its body. */
export type SpooledDelivery = {
  /** Its place in the order of arrival. */
  readonly seq: number;
  /** What deliveries of one order have in common. */
  readonly key: string;
  readonly verified: VerifiedDelivery;
};

/** Why a delivery was set aside, and when. */
export type SetAsideNote = { readonly problem: string; readonly at: Instant };

/** A delivery that was set aside, as operators are told of it: without a byte of its body. */
export type SetAsideEntry = SetAsideNote &
  Pick<SpooledDelivery, 'seq' | 'key'> & {
    readonly bodySha256: Sha256;
    readonly receivedAt: Instant;
    readonly requestId: RequestId;
  };

/** There is no room left for this delivery. Nothing was kept. */
export type SpoolFull = { readonly _tag: 'SpoolFull'; readonly detail: string };

/** The disk is full or fails. Nothing is known to have been kept. */
export type SpoolFailed = { readonly _tag: 'SpoolFailed'; readonly detail: string };

export type SpoolState = {
  /** Whether what it held when it was opened is still being counted: until then the figures say what is told of them. */
  readonly isCounting: boolean;
  /** Deliveries that wait; those that were set aside are not among them. At least so many while it is counting. */
  readonly depth: number;
  /** What all of them take, those that were set aside too; about so much while it is counting. */
  readonly bytes: number;
  /** When the first of those that wait was received; null where none waits, or where it is not known yet. */
  readonly oldestReceivedAt: Instant | null;
  /** How many were set aside; at least so many while it is counting. */
  readonly setAside: number;
  /** Whether any delivery could be kept now. */
  readonly ready: Readiness;
};

/** What another process finds in a spool. */
export type SpoolContents = Omit<SpoolState, 'isCounting' | 'setAside' | 'ready'> & {
  readonly setAside: readonly SetAsideEntry[];
};

/**
 * Where deliveries are durable while the event store is away: for each key a queue in order of arrival
 * (docs/spec/domain.md, Promises, 1). It takes deliveries as soon as it is open, however many it holds: what it held is
 * counted behind that, in order of arrival, and each that is counted can be taken out at once. Each call costs the same however many wait; what has an answer at once is known without
 * the disk, and what has it later never holds the thread that asks.
 */
export type Spool = {
  /** Keeps a delivery behind all others. A Right is durable, and counted by `holds` from then on. */
  readonly put: (verified: VerifiedDelivery, key: string) => TE.TaskEither<SpoolFull | SpoolFailed, void>;

  /** Keeps a delivery that no store will take, beside the queues, once all is counted; a body that is there already is not kept twice. A Right is durable. */
  readonly putAside: (
    verified: VerifiedDelivery,
    key: string,
    note: SetAsideNote,
  ) => TE.TaskEither<SpoolFull | SpoolFailed, void>;

  /** Whether a delivery of this key waits, or may wait: until all is counted, any key's may. */
  readonly holds: (key: string) => boolean;

  /** The keys of those that wait and are counted, in the order in which they began to; one that comes meanwhile is the last. */
  readonly keys: () => IterableIterator<string>;

  /** The first of those that wait of a key, the same until it is done or set aside; null where none waits, or where the first is not counted yet. */
  readonly firstOf: (key: string) => TE.TaskEither<SpoolFailed, SpooledDelivery | null>;

  /** Takes out one that `firstOf` gave; any other is left alone. After a crash it may be there once more. */
  readonly done: (delivery: SpooledDelivery) => void;

  /** Sets aside one that `firstOf` gave; any other is left alone. After a crash it may wait once more. */
  readonly setAside: (delivery: SpooledDelivery, note: SetAsideNote) => void;

  /** Those that were set aside, in order of arrival. */
  readonly setAsideEntries: () => TE.TaskEither<SpoolFailed, readonly SetAsideEntry[]>;

  readonly state: () => SpoolState;

  /** From now on calls when further deliveries wait or are counted, and when all are counted, those too whose put was answered as failed and that became durable all the same. */
  readonly onWaiting: (call: () => void) => void;

  /** Finishes what is under way and lets go of the file. */
  readonly close: T.Task<void>;
};

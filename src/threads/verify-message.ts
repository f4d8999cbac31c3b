import type * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Position } from '../domain/ids.ts';
import { PositionText } from '../domain/position.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';
import type { EventFailure } from '../ledger/verify-stream.ts';
import type { OrderDigestData } from '../read-models/order-digests.ts';
import type { EntriesOf } from '../read-models/sqlite/verify/order-entries.ts';
import type { StoredEntries } from '../read-models/sqlite/verify/verify-entries.ts';
import type { FoundRows } from '../read-models/sqlite/verify/verify-strays.ts';
import type { RightRows } from '../read-models/sqlite/verify/verify-orders.ts';
import type { FoldedSteps } from '../read-models/step-fold.ts';
import type { TermDigestData } from '../read-models/term-digest.ts';
import type { FoldedTrail } from '../read-models/trail-fold.ts';
import type { ReadModelFailure } from '../read-models/verification.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** What `verify` looks at; the place is that of the log, or of its local copy. */
export type VerifyOptions = {
  readonly location: SqliteLocation;
  /** Null: the read models are left out. */
  readonly readModelFile: string | null;
  readonly upTo: Position;
  /** Active and retired ones; keys in hex. */
  readonly secrets: readonly { readonly id: string; readonly key: string }[];
};

/** What a worker of it is started with. */
export type VerifyWorkerOptions = VerifyOptions & {
  /** Ends of steps that the log is folded for, in their order. */
  readonly stepEnds: readonly Position[];
  /** How far the trail is held to the log. */
  readonly trailUpTo: Position | null;
  /** What indexes are held to the orders. */
  readonly entriesOf: EntriesOf;
};

const Options: { readonly is: t.Is<VerifyWorkerOptions> } = t.type({
  location: t.type({ file: t.string, dataDir: t.string }),
  readModelFile: t.union([t.string, t.null]),
  upTo: PositionText,
  secrets: t.readonlyArray(t.type({ id: t.string, key: t.string })),
  stepEnds: t.readonlyArray(PositionText),
  trailUpTo: t.union([PositionText, t.null]),
  entriesOf: t.type({ match: t.boolean }),
});

export const isVerifyOptions = (u: unknown): u is VerifyWorkerOptions => Options.is(u);

/**
 * A task: the streams of some parts, events and orders; the sums of the read models; what their index of the trail finds
 * events by, and what others find orders by; the match; what a worker has gathered of its parts, once there are no more.
 */
export type VerifyTask =
  | { readonly _tag: 'Parts'; readonly first: number; readonly beyond: number }
  | { readonly _tag: 'Sums' }
  | { readonly _tag: 'Trail' }
  | { readonly _tag: 'Entries' }
  | { readonly _tag: 'Match' }
  | { readonly _tag: 'Rest' };

/** Rows of a generation that a worker found to be what their streams come to, and what all its orders are found by. */
export type RightRowsOf = RightRows & {
  readonly generation: number;
  readonly entries: OrderDigestData;
  readonly found: FoundRows;
};

/** What indexes of a generation find orders by. */
export type StoredEntriesOf = Pick<StoredEntries, 'digests'> & { readonly generation: number };

/** What it found. */
export type VerifyFound = {
  readonly events: number;
  readonly orders: number;
  readonly unknownSecrets: number;
  readonly failures: readonly (EventFailure | ReadModelFailure)[];
  /** What streams come to between the ends of steps; null where it is still gathered. */
  readonly steps: FoldedSteps | null;
  /** What events come to in the trail; null where it is still gathered. */
  readonly trail: FoldedTrail | null;
  /** What the index of the trail holds; null where that was not asked. */
  readonly trailTerms: TermDigestData | null;
  /** What indexes find orders by; null where that was not asked. */
  readonly storedEntries: StoredEntriesOf | null;
  /** Of all parts, once there are no more; null before, and where nothing serves. */
  readonly rightRows: RightRowsOf | null;
};

export type VerifyAnswer = E.Either<StoreUnavailable, VerifyFound>;

export const verifyProtocol = protocol<VerifyTask, VerifyAnswer, never, never>({
  question: tagged<VerifyTask>({ Parts: true, Sums: true, Trail: true, Entries: true, Match: true, Rest: true }),
  answer: tagged<VerifyAnswer>({ Left: true, Right: true }),
  note: none,
  news: none,
});

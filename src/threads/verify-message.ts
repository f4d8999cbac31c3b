import type * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Position } from '../domain/ids.ts';
import { PositionText } from '../domain/position.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';
import type { EventFailure } from '../ledger/verify-stream.ts';
import type { FoldedSteps } from '../read-models/step-fold.ts';
import type { ReadModelFailure } from '../read-models/verification.ts';
import { none, protocol, tagged } from './thread-message.ts';

/** What `verify` looks at; the place is that of the log, or of its local copy. */
export type VerifyOptions = {
  readonly location: SqliteLocation;
  readonly readModelFile: string;
  readonly upTo: Position;
  /** Active and retired ones; keys in hex. */
  readonly secrets: readonly { readonly id: string; readonly key: string }[];
};

/** What a worker of it is started with. */
export type VerifyWorkerOptions = VerifyOptions & {
  /** Ends of steps that the log is folded for, in their order. */
  readonly stepEnds: readonly Position[];
};

const Options: { readonly is: t.Is<VerifyWorkerOptions> } = t.type({
  location: t.type({ file: t.string, dataDir: t.string }),
  readModelFile: t.string,
  upTo: PositionText,
  secrets: t.readonlyArray(t.type({ id: t.string, key: t.string })),
  stepEnds: t.readonlyArray(PositionText),
});

export const isVerifyOptions = (u: unknown): u is VerifyWorkerOptions => Options.is(u);

/** A task: the streams of a part, events and orders; the sums of the read models; their index of the trail; the match. */
export type VerifyTask =
  | { readonly _tag: 'Part'; readonly part: number }
  | { readonly _tag: 'Sums' }
  | { readonly _tag: 'Trail' }
  | { readonly _tag: 'Match' };

/** What it found. */
export type VerifyAnswer = E.Either<
  StoreUnavailable,
  {
    readonly events: number;
    readonly orders: number;
    readonly unknownSecrets: number;
    readonly failures: readonly (EventFailure | ReadModelFailure)[];
    /** What streams come to between the ends of steps. */
    readonly steps: FoldedSteps;
  }
>;

export const verifyProtocol = protocol<VerifyTask, VerifyAnswer, never, never>({
  question: tagged<VerifyTask>({ Part: true, Sums: true, Trail: true, Match: true }),
  answer: tagged<VerifyAnswer>({ Left: true, Right: true }),
  note: none,
  news: none,
});

import type { StatementUnreadable } from '../../statements/unreadable.ts';
import type { AskerGone } from './asker-gone.ts';
import type { FileFailed } from '../statements/statement-files.ts';
import type { UnreadableEvent } from '../../domain/unreadable-event.ts';
import type { StoreUnavailable } from '../../event-store/event-store.ts';
import type { RecordFailure } from '../../ledger/recorded.ts';
import type { ProofFailure } from '../../proofs/proof-log.ts';
import type { MomentTooFar, ReadModelsBehind, ReadModelsUnavailable } from '../../read-models/read-models.ts';

/** What is wrong with a parameter. */
export type ParameterFault =
  /** The question takes none of this name. `meant`: the one that may have been meant. */
  | { readonly _tag: 'Unknown'; readonly meant: string | null }
  | { readonly _tag: 'Repeated' }
  /** `expected`: what it must be, as in `a whole number from 1 to 500`. `meant`: words that may have been meant. */
  | { readonly _tag: 'IllFormed'; readonly expected: string; readonly meant: readonly string[] }
  /** It is later than the parameter that it should not be later than. */
  | { readonly _tag: 'Backwards'; readonly to: string }
  /** A cursor or position that this list, or this ledger, has not given. */
  | { readonly _tag: 'Foreign'; readonly to: 'list' | 'ledger' };

export type InvalidParameter = {
  readonly _tag: 'InvalidParameter';
  /** Its name as it came: whatever text that is. */
  readonly parameter: string;
  readonly fault: ParameterFault;
};

/** Whoever asks may not know this. `parameter`: whose text needs the scope; null: the question itself needs it. */
export type Forbidden = {
  readonly _tag: 'Forbidden';
  readonly scope: string;
  readonly parameter: string | null;
};

/** The key or session of whoever asked ended, or lost a scope, before the answer was there. */
export type AccessEnded = { readonly _tag: 'AccessEnded' };

/** Nothing of this kind is there. */
export type NotFound = {
  readonly _tag: 'NotFound';
  readonly what:
    | 'period'
    | 'address'
    | 'order'
    | 'revision'
    | 'quarantined delivery'
    | 'event'
    | 'tile'
    | 'item'
    | 'decision'
    | 'statement';
};

/** What was asked for does not go with what was done to the month before. */
type PeriodRefusal =
  | { readonly _tag: 'PeriodAlreadyClosed' }
  | { readonly _tag: 'PeriodNotClosed' }
  | { readonly _tag: 'LaterPeriodClosed'; readonly period: string }
  /** Its figures do not fit into one event. */
  | { readonly _tag: 'PeriodTooLarge' }
  /** `checks`: names of those that are not well. */
  | { readonly _tag: 'PeriodNotReady'; readonly checks: readonly string[] };

/** A decision on so much that it does not fit into one event. */
type DecisionTooLarge = { readonly _tag: 'DecisionTooLarge'; readonly members: number };

/** What was asked for does not go with what became of a quarantined delivery before. */
type QuarantineRefusal =
  | { readonly _tag: 'QuarantinedReleased' }
  | { readonly _tag: 'QuarantinedClosed' }
  | { readonly _tag: 'QuarantinedNotClosed' };

/** As many of these are under way as are answered at a time; `imports`: those of another process, one at a time. */
export type Overloaded = {
  readonly _tag: 'Overloaded';
  readonly by: 'questions' | 'exports' | 'live streams' | 'bank files' | 'imports';
};

/** An API key asks more often than it may. */
export type RateLimited = {
  readonly _tag: 'RateLimited';
  readonly perMinute: number;
  readonly msBeforeNext: number;
};

/** An order list has more rows than a sheet of a workbook. */
export type TooManyRows = { readonly _tag: 'TooManyRows'; readonly most: number };

/**
 * What keeps a question from being answered, whoever asks. Plain data throughout, without personal data, so that it can be
 * handed to a thread. `detail` of a failure is for operators only.
 */
export type QueryFailure =
  | InvalidParameter
  | TooManyRows
  | Forbidden
  | AccessEnded
  | NotFound
  | StoreUnavailable
  | ReadModelsBehind
  | ReadModelsUnavailable
  | MomentTooFar
  | UnreadableEvent
  | ProofFailure
  | StatementUnreadable
  | FileFailed
  /** A release could not be recorded. */
  | { readonly _tag: 'NotRecorded'; readonly failure: Exclude<RecordFailure, UnreadableEvent> }
  /** What makes exports and live events failed over one of them. */
  | { readonly _tag: 'StreamFailed'; readonly detail: string }
  /** What makes exports and live events has ended. */
  | { readonly _tag: 'StreamsEnded'; readonly detail: string }
  | { readonly _tag: 'WorkbookUnwritable'; readonly detail: string }
  | AskerGone
  | PeriodRefusal
  | DecisionTooLarge
  | QuarantineRefusal
  | Overloaded
  | RateLimited;

export const notFound = (what: NotFound['what']): NotFound => ({ _tag: 'NotFound', what });

export const illFormed = (parameter: string, expected: string, meant: readonly string[] = []): InvalidParameter => ({
  _tag: 'InvalidParameter',
  parameter,
  fault: { _tag: 'IllFormed', expected, meant },
});

/** A cursor or position that was never given, for whatever reason. */
export const foreign = (parameter: string, to: 'list' | 'ledger'): InvalidParameter => ({
  _tag: 'InvalidParameter',
  parameter,
  fault: { _tag: 'Foreign', to },
});

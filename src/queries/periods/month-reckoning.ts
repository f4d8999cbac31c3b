import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Instant } from '../../domain/instant.ts';
import type { Month } from '../../domain/month.ts';
import type { PeriodClosedData } from '../../domain/own-event/period-events.ts';
import type { AsOf, MomentTooFar, ReadModelsUnavailable } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { Readiness } from './readiness-check.ts';

/** A month that is being closed, as of the moment of its close. Plain data. */
export type ClosingQuestion = {
  readonly month: Month;
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
  readonly asOf: AsOf;
  /** Read models that are still built with another one have other days. */
  readonly timeZone: string;
};

/** What a close keeps of the figures of a month. */
export type ClosingFigures = Pick<PeriodClosedData, 'figures' | 'reports'>;

export type ClosingFailure =
  | ReadModelsUnavailable
  | MomentTooFar
  | Extract<QueryFailure, { readonly _tag: 'ReadModelsBehind' }>;

/** What of a closed month is held against what is known now. Plain data. */
export type KeptMonth = { readonly data: Pick<PeriodClosedData, 'period' | 'from' | 'until' | 'figures'> };

/** A month whose readiness is asked for. Plain data. */
export type ChecksQuestion = {
  readonly month: Month;
  readonly now: Instant;
  /** How many days a settled order is expected at the bank before it is missed. */
  readonly matchDueDays: number;
};

/** What of its readiness is found in the log and the read models. */
export type MonthChecks = Pick<Readiness, 'until' | 'checks'>;

/** What is reckoned of all figures of months: in another thread where there is one, since they may have tens of thousands of cells. */
export type MonthReckoning = {
  /** Makes the figures of a close. */
  readonly closingFigures: (question: ClosingQuestion) => TE.TaskEither<ClosingFailure, ClosingFigures>;
  /** Whether a closed month would be reported otherwise now. */
  readonly isAdjusted: (closed: KeptMonth) => TE.TaskEither<QueryFailure, boolean>;
  /** Looks at what is left to do before a month is closed. */
  readonly monthChecks: (question: ChecksQuestion) => TE.TaskEither<QueryFailure, MonthChecks>;
};

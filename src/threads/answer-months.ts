import type * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../domain/business-day.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { isAdjusted } from '../queries/periods/adjustments.ts';
import { closingFigures } from '../queries/periods/closing-figures.ts';
import { monthChecks } from '../queries/periods/month-checks.ts';
import type {
  ChecksQuestion,
  ClosingFailure,
  ClosingFigures,
  ClosingQuestion,
  KeptMonth,
  MonthChecks,
} from '../queries/periods/month-reckoning.ts';
import { withPast } from '../read-models/past-read-models.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import type { AnswersOf } from './answer-handed.ts';
import { MOMENT_WITHIN_MS } from './past-answers.ts';

type Of = Pick<AnswersOf, 'past' | 'readModels'>;

const modelsOf = ({ past, readModels }: Of): Snapshot => withPast(readModels, past, MOMENT_WITHIN_MS);

/** Makes what a close keeps of the figures of a month. */
export const answerClosing = (of: Of, question: ClosingQuestion): Promise<E.Either<ClosingFailure, ClosingFigures>> =>
  closingFigures(modelsOf(of))(question)();

/** Finds out whether a closed month would be reported otherwise now. */
export const answerAdjusted = (of: Of, closed: KeptMonth): Promise<E.Either<QueryFailure, boolean>> =>
  isAdjusted(modelsOf(of))(closed)();

/** Looks at what is left to do before a month is closed. */
export const answerMonthChecks = (
  { store, readModels, timeZone }: Pick<AnswersOf, 'store' | 'readModels' | 'timeZone'>,
  question: ChecksQuestion,
): Promise<E.Either<QueryFailure, MonthChecks>> =>
  monthChecks({ store, readModels, calendar: businessCalendar(timeZone) })(question)();

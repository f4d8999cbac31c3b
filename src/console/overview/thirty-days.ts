import * as apply from 'fp-ts/lib/Apply.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Basis } from '../../../projections/report/index.ts';
import type { BusinessDay, Calendar } from '../../domain/business-day.ts';
import type { Flow } from '../../domain/flow.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ReadModels, ReadModelsUnavailable, ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { dayBefore } from '../business-days.ts';

/** The days of the overview, in the business time zone. */
export type Days = { readonly today: BusinessDay; readonly yesterday: BusinessDay; readonly first: BusinessDay };

/** Today is one of the thirty. */
const DAYS = 30;

export const daysAt = ({ dayOf }: Calendar, now: Instant): Days => {
  const today = dayOf(now);
  return { today, yesterday: dayBefore(today, 1), first: dayBefore(today, DAYS - 1) };
};

/** A report by day, with the question that it answers. */
export type DailyReport = { readonly question: ReportQuestion; readonly answer: ReportAnswer };

/** A flow over the days: orders by the day on which they were created, and by that on which they settled. */
export type FlowDays = { readonly flow: Flow; readonly created: DailyReport; readonly settled: DailyReport };

const daily = (
  readModels: Pick<ReadModels, 'report'>,
  flow: Flow,
  basis: Basis,
  { first, today }: Days,
): TE.TaskEither<ReadModelsUnavailable, DailyReport> => {
  const question: ReportQuestion = { flow, basis, from: first, to: today, groupBy: ['day'] };
  return pipe(
    readModels.report(question),
    TE.map((answer) => ({ question, answer })),
  );
};

/** What the reports say of the days of the overview. */
export const flowDays = (
  readModels: Pick<ReadModels, 'report'>,
  flow: Flow,
  days: Days,
): TE.TaskEither<ReadModelsUnavailable, FlowDays> =>
  apply.sequenceS(TE.ApplyPar)({
    flow: TE.right<ReadModelsUnavailable, Flow>(flow),
    created: daily(readModels, flow, 'created', days),
    settled: daily(readModels, flow, 'settled', days),
  });

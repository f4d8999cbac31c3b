import * as fc from 'fast-check';
import type { Report } from '../../projections/report/index.ts';
import { EVERY_ORDER } from '../../src/read-models/order-filter.ts';
import type { OrdersQuestion } from '../../src/read-models/read-models.ts';
import { scripts, type Step } from '../support/ledger-script.ts';
import type { NaiveAnswers } from '../support/naive-answers.ts';
import { beside } from '../support/questions.ts';

/** A log that was there before the first build as far as `split`, and came in batches of these sizes from there on. */
export type Log = {
  readonly steps: readonly Step[];
  readonly split: number;
  readonly timeZone: string;
  readonly sizes: readonly number[];
};

/** Logs of every kind of step. */
export const logs: fc.Arbitrary<Log> = fc.record({
  steps: scripts(40),
  split: fc.nat(40),
  timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Pacific/Apia'),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
});

/** Many of some picks at once, since a log takes long to play. */
export const some = <A>(picks: fc.Arbitrary<A>): fc.Arbitrary<readonly A[]> =>
  fc.array(picks, { minLength: 30, maxLength: 30 });

/** A report with its statuses in their order, which the comparison of maps would not see. */
export const shown = ({ rows, totals }: Report): unknown =>
  [rows, totals].map((sums) => sums.map((sum) => ({ ...sum, byStatus: [...sum.byStatus] })));

/** Questions for each order just before, at and after the moment at which the clock makes it anomalous. */
export const clockQuestions = ({ states }: NaiveAnswers): readonly Omit<OrdersQuestion, 'after' | 'counted'>[] =>
  states.flatMap(({ orderId, clockAnomaly }) => {
    if (clockAnomaly === null) return [];
    const { code: anomaly, after } = clockAnomaly;
    return beside(after).flatMap((now) =>
      [null, { text: orderId, personal: false, holdsMasked: false }].map((q) => ({
        filter: { ...EVERY_ORDER, anomaly, q },
        now,
        limit: 2,
      })),
    );
  });

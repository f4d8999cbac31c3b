import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Closed } from '../../../projections/periods/index.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { adjustmentList, type AdjustmentPage } from '../../queries/periods/adjustment-list.ts';
import { readPeriods } from '../../queries/periods/read-period.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { seeOther, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { adjustmentSection } from './adjustment-section.ts';
import { checksAtClose } from './check-table.ts';
import { closedFacts } from './closed-facts.ts';
import { askedPeriod, PERIOD_ROUTE, periodFrame, type AskedPeriod } from './period-frame.ts';
import { reopenForm } from './period-forms.ts';
import { periodPath } from './period-path.ts';

/** What there is to see of a closed month. */
type Seen = {
  readonly closed: Closed;
  readonly adjusted: AdjustmentPage;
  /** Whether no later month is closed: only the latest can be opened again. */
  readonly isLatest: boolean;
};

const PAGES = { further: 'Further adjustments', next: 'Further adjustments', none: 'No further adjustments' } as const;

const closedPart = (
  month: string,
  { closed, adjusted, isLatest }: Seen,
  texts: FilledTexts,
  asked: ConsoleQuestion,
): Html => html`
  ${closedFacts(closed, asked)} ${adjustmentSection(adjusted, asked)}
  ${adjusted.next !== null || texts.has('cursor') ? pager(periodPath(month), texts, adjusted.next, PAGES) : null}
  <section>
    <h2>When it was closed</h2>
    ${checksAtClose(closed, asked.times)}
  </section>
  <section>
    <h2>Open it again</h2>
    ${isLatest ? reopenForm(month, asked) : html`<p class="muted">A later month is closed: open that one first.</p>`}
  </section>
`;

const seen = (
  deps: LargePageDependencies,
  { known: { period, months }, filled: { query } }: AskedPeriod,
  closed: Closed,
  asked: ConsoleQuestion,
): TE.TaskEither<QueryFailure, Seen> => {
  const later = months.filter((month) => month > period.period);
  return pipe(
    adjustmentList(deps, asked.personal, period.period)({ ...query, position: null }),
    TE.bindTo('adjusted'),
    TE.bind('behind', () => readPeriods(deps.store, later)),
    TE.map(({ adjusted, behind }) => ({
      closed,
      adjusted,
      isLatest: behind.every((other) => other.closed === null),
    })),
  );
};

/** The page of a closed month: how it was closed, and what changed since; of one that is open the way to its page. */
export const answerClosed =
  (deps: LargePageDependencies, asked: ConsoleQuestion) =>
  (its: AskedPeriod): TE.TaskEither<QueryFailure, PageAnswer> => {
    const { known, filled } = its;
    const { closed, period } = known.period;
    return closed === null
      ? TE.right(seeOther(periodPath(period)))
      : pipe(
          seen(deps, its, closed, asked),
          TE.map((found) => periodFrame(known, closedPart(period, found, filled.texts, asked), asked)),
        );
  };

/** A closed month. What changed since is long in the making. */
export const closedPeriodPage = (deps: LargePageDependencies): ConsoleRoute => ({
  ...PERIOD_ROUTE,
  answer: (asked) => pipe(askedPeriod(deps, asked), TE.chain(answerClosed(deps, asked))),
});

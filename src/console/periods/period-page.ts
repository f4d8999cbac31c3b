import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import type { Readiness } from '../../queries/periods/readiness-check.ts';
import { readiness, type ReadinessDependencies } from '../../queries/periods/readiness.ts';
import { monthNamed, readPeriods } from '../../queries/periods/read-period.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { checkTable } from './check-table.ts';
import { answerClosed } from './closed-period-page.ts';
import { linkOnPages } from './link-on-pages.ts';
import { askedPeriod, PERIOD_ROUTE, periodFrame } from './period-frame.ts';
import { closeForm } from './period-forms.ts';

const openPart = (month: string, found: Readiness, asked: ConsoleQuestion): Html => html`
  <section>
    <h2>Before it is closed</h2>
    ${checkTable(
      found.checks.map((check) => ({ ...check, href: linkOnPages(check.link, asked) })),
      'To do',
      found.until,
      asked.times,
    )}
    ${closeForm(month, found, asked)}
  </section>
`;

/**
 * One month: what is left to do before it is closed, or how it was closed and what changed since. What is left to do is told
 * by the ledger that serves: what waits in its spool, how far its read models are.
 */
export const periodPage = (deps: LargePageDependencies & ReadinessDependencies): ConsoleRoute => ({
  ...PERIOD_ROUTE,
  isLarge: ({ path }) =>
    pipe(
      TE.fromEither(readPath(PERIOD_ROUTE.path, path)),
      TE.chainEitherKW(({ period }) => monthNamed(period)),
      TE.chainW((month) => readPeriods(deps.store, [month])),
      TE.map((periods) => periods.some(({ closed }) => closed !== null)),
    ),
  answer: (asked) =>
    pipe(
      askedPeriod(deps, asked),
      TE.chain((its) => {
        if (its.known.period.closed !== null) return answerClosed(deps, asked)(its);
        const { period: month } = its.known.period;
        return pipe(
          readiness(deps, month),
          TE.map((found) => periodFrame(its.known, openPart(month, found, asked), asked)),
        );
      }),
    ),
});

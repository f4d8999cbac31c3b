import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { knownPeriod, type KnownPeriod } from '../../queries/periods/known-period.ts';
import { PERIOD_LIST_PARAMETERS } from '../../queries/periods/periods.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { filledParameters, type Filled } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { withParameters } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { monthWords } from './month-words.ts';
import { periodBadge } from './period-badge.ts';
import { PERIODS_PATH, periodFilePath, periodPrintPath } from './period-path.ts';

/** The page of a month, and who may see it. */
export const PERIOD_ROUTE = { method: 'get', path: '/console/periods/{period}', scopes: ['reports:read'] } as const;

const { position: _position, ...PARAMETERS } = PERIOD_LIST_PARAMETERS;

/** A month that is asked for, and the page of its adjustments. */
export type AskedPeriod = { readonly known: KnownPeriod; readonly filled: Filled<typeof PARAMETERS> };

/** The month that a page is asked for. */
export const askedPeriod = (
  deps: LargePageDependencies,
  asked: ConsoleQuestion,
): TE.TaskEither<QueryFailure, AskedPeriod> =>
  pipe(
    TE.fromEither(readPath(PERIOD_ROUTE.path, asked.path)),
    TE.bindW('filled', () => TE.fromEither(filledParameters(asked, PARAMETERS))),
    TE.bindW('known', ({ period }) => knownPeriod(deps, period)),
  );

const history = ({ period }: KnownPeriod, { times, personal }: ConsoleQuestion): Html | null =>
  period.history.length === 0
    ? null
    : html`<section>
        <h2>History</h2>
        <ol>
          ${period.history.map(
            ({ at, by, what, note }) =>
              html`<li>
                ${times.time(at)} ${what} by ${by}${note === '' ? null : html`: ${shownText(note, personal)}`}
              </li>`,
          )}
        </ol>
      </section>`;

/** The page of a month around what there is to see of it: what is left to do, or what changed since its close. */
export const periodFrame = (known: KnownPeriod, part: Html, asked: ConsoleQuestion): PageAnswer => {
  const { period: month, closed } = known.period;
  const reportOf = (flow: string): string => withParameters(`/console/reports/${flow}`, { period: month });
  return showPage({
    title: `Period ${month}`,
    place: 'periods',
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="${PERIODS_PATH}">Periods</a></p>
        <h1>${monthWords(month)}</h1>
        <p class="headline">
          ${periodBadge(closed === null ? 'open' : 'closed')}
          <a href="${reportOf('onramp')}">On-ramp report</a> <a href="${reportOf('offramp')}">Off-ramp report</a>
        </p>
        ${
          closed === null
            ? null
            : html`<p class="downloads">
                <span class="muted">This close</span>
                <a download href="${periodFilePath(month)}">Workbook</a>
                <a href="${periodPrintPath(month)}">To print</a>
              </p>`
        }
      </div>
      ${part} ${history(known, asked)}
    `,
  });
};

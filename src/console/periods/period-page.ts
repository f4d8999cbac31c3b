import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Closed } from '../../../projections/periods/index.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { readPath } from '../../queries/parameters/path-parameters.ts';
import { adjustmentList, type AdjustmentPage } from '../../queries/periods/adjustment-list.ts';
import { knownPeriod, type KnownPeriod } from '../../queries/periods/known-period.ts';
import { PERIOD_LIST_PARAMETERS } from '../../queries/periods/periods.ts';
import { readiness, type Readiness } from '../../queries/periods/readiness.ts';
import { readPeriods } from '../../queries/periods/read-period.ts';
import type { ConsoleDependencies } from '../console-dependencies.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters, type FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { pager } from '../pager.ts';
import { adjustmentSection } from './adjustment-section.ts';
import { checkTable } from './check-table.ts';
import { closedFacts } from './closed-facts.ts';
import { linkOnPages } from './link-on-pages.ts';
import { monthWords } from './month-words.ts';
import { periodBadge } from './period-badge.ts';
import { closeForm, reopenForm } from './period-forms.ts';
import { PERIODS_PATH, periodFilePath, periodPath, periodPrintPath } from './period-path.ts';

const PATH = '/console/periods/{period}';

const { position: _position, ...PARAMETERS } = PERIOD_LIST_PARAMETERS;

const PAGES = { further: 'Further adjustments', next: 'Further adjustments', none: 'No further adjustments' } as const;

/** What there is to see of a month: what is left to do, or what changed since. */
type Seen =
  | { readonly _tag: 'Open'; readonly found: Readiness }
  | {
      readonly _tag: 'Closed';
      readonly closed: Closed;
      readonly adjusted: AdjustmentPage;
      /** Whether no later month is closed: only the latest can be opened again. */
      readonly isLatest: boolean;
    };

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

const closedPart = (
  month: string,
  { closed, adjusted, isLatest }: Extract<Seen, { readonly _tag: 'Closed' }>,
  texts: FilledTexts,
  asked: ConsoleQuestion,
): Html => html`
  ${closedFacts(closed, asked)} ${adjustmentSection(adjusted, asked)}
  ${adjusted.next !== null || texts.has('cursor') ? pager(periodPath(month), texts, adjusted.next, PAGES) : null}
  <section>
    <h2>When it was closed</h2>
    ${checkTable(
      closed.data.checks.map((check) => ({ ...check, href: null })),
      'Accepted',
      closed.data.until,
      asked.times,
    )}
  </section>
  <section>
    <h2>Open it again</h2>
    ${isLatest ? reopenForm(month, asked) : html`<p class="muted">A later month is closed: open that one first.</p>`}
  </section>
`;

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

const page = (known: KnownPeriod, seen: Seen, texts: FilledTexts, asked: ConsoleQuestion): PageAnswer => {
  const month = known.period.period;
  const reportOf = (flow: string): string => withParameters(`/console/reports/${flow}`, { period: month });
  return showPage({
    title: `Period ${month}`,
    place: 'periods',
    main: html`
      <div class="heading">
        <p class="crumbs"><a href="${PERIODS_PATH}">Periods</a></p>
        <h1>${monthWords(month)}</h1>
        <p class="headline">
          ${periodBadge(seen._tag === 'Open' ? 'open' : 'closed')}
          <a href="${reportOf('onramp')}">On-ramp report</a> <a href="${reportOf('offramp')}">Off-ramp report</a>
        </p>
        ${
          seen._tag === 'Open'
            ? null
            : html`<p class="downloads">
                <span class="muted">This close</span>
                <a download href="${periodFilePath(month)}">Workbook</a>
                <a href="${periodPrintPath(month)}">To print</a>
              </p>`
        }
      </div>
      ${seen._tag === 'Open' ? openPart(month, seen.found, asked) : closedPart(month, seen, texts, asked)}
      ${history(known, asked)}
    `,
  });
};

/** One month: what is left to do before it is closed, or how it was closed and what changed since. */
export const periodPage = (deps: ConsoleDependencies): ConsoleRoute => ({
  method: 'get',
  path: PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(readPath(PATH, asked.path)),
      TE.bindW('filled', () => TE.fromEither(filledParameters(asked, PARAMETERS))),
      TE.bindW('known', ({ period }) => knownPeriod(deps, period)),
      TE.bindW('seen', ({ known: { period, months }, filled: { query } }): TE.TaskEither<QueryFailure, Seen> => {
        const { closed } = period;
        if (closed === null) {
          return pipe(
            readiness(deps, period.period),
            TE.map((found) => ({ _tag: 'Open', found })),
          );
        }
        const later = months.filter((month) => month > period.period);
        return pipe(
          adjustmentList(deps, asked.personal, period.period)({ ...query, position: null }),
          TE.bindTo('adjusted'),
          TE.bind('behind', () => readPeriods(deps.store, later)),
          TE.map(({ adjusted, behind }) => ({
            _tag: 'Closed',
            closed,
            adjusted,
            isLatest: behind.every((other) => other.closed === null),
          })),
        );
      }),
      TE.map(({ known, seen, filled: { texts } }) => page(known, seen, texts, asked)),
    ),
});

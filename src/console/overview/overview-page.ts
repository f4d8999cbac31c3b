import * as apply from 'fp-ts/lib/Apply.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ReportRow } from '../../../projections/report/index.ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { daysFrom } from '../business-days.ts';
import { periodChart, phaseKey } from '../charts/period-chart.ts';
import type { ConsoleQuestion, ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import type { LedgerHealth } from '../health/ledger-health.ts';
import { html, type Html } from '../html.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { withParameters } from '../links.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { showPage, type PageAnswer } from '../page.ts';
import { FLOW_PHASES } from '../../queries/words/flow-phases.ts';
import { ordersBehind } from '../reports/row-orders.ts';
import { attention, type Attention } from './attention.ts';
import { freshness } from './freshness.ts';
import { monthsToClose } from '../../queries/periods/months-to-close.ts';
import { openInMatch } from '../../queries/reconciliation/open-in-match.ts';
import { leftOut, mostUsed } from './most-used.ts';
import { settledTable } from './settled-table.ts';
import { statusTable } from './status-table.ts';
import { daysAt, flowDays, type DailyReport, type Days, type FlowDays } from './thirty-days.ts';
import { dayTable, volumeTable } from './volume-table.ts';

/** Those with the most orders are drawn. */
const MOST_CHARTS = 6;
const MOST_DAYS = 31;

/** What it stands on: how the ledger is, of which the thread that receives knows, beside what all large pages do. */
export type OverviewDependencies = LargePageDependencies & { readonly health: () => Promise<LedgerHealth> };

type Found = Omit<Attention, 'refused'>;

/** What somebody may see; null: what their key does not allow. */
type Seen = {
  readonly health: LedgerHealth;
  readonly days: Days;
  readonly attention: Found;
  readonly flows: readonly FlowDays[] | null;
};

type Text = (value: string) => string;

const chart = (
  report: DailyReport,
  currency: string,
  id: string,
  days: Days,
  asked: ConsoleQuestion,
  text: Text,
): Html => {
  const { question, answer } = report;
  const labels = daysFrom(days.first, days.today, MOST_DAYS) ?? [];
  const rows = answer.rows.filter((row) => row.currency === currency);
  const byDay = new Map<string | undefined, ReportRow>(rows.map((row) => [row.day, row]));
  const orders = ordersBehind(question, asked);
  return html`
    <div>
      ${periodChart({
        title: text(currency),
        unit: text(currency),
        table: id,
        key: '0',
        periods: labels.map((label) => {
          const row = byDay.get(label);
          return {
            label,
            asked: row?.fiat.asked ?? '0',
            parts:
              row === undefined ? [] : FLOW_PHASES[question.flow].map((phase) => ({ phase, amount: row.fiat[phase] })),
            href: row === undefined ? null : orders(row),
            unfinished: label === days.today,
          };
        }),
      })}
      <details>
        <summary>${text(currency)} by day</summary>
        ${dayTable({ id, name: `${FLOW_WORDS[question.flow]}, ${text(currency)} by day` }, labels, rows, report, asked)}
      </details>
    </div>
  `;
};

const flowSection = ({ flow, created }: FlowDays, days: Days, asked: ConsoleQuestion, text: Text): Html => {
  const { totals } = created.answer;
  const report = withParameters(`/console/reports/${flow}`, { from: days.first, to: days.today, groupBy: 'day' });
  const most = new Set(totals.toSorted((a, b) => b.orders - a.orders).slice(0, MOST_CHARTS));
  // In the order of the tables, which is the same everywhere on the page.
  const drawn = totals.filter((total) => most.has(total));
  return html`
    <section>
      <div class="section-head">
        <h2>${FLOW_WORDS[flow]}, created in the last thirty days</h2>
        <a href="${report}">Report</a>
      </div>
      ${
        totals.length === 0
          ? html`<p class="muted">No ${FLOW_WORDS[flow].toLowerCase()} order was created since ${days.first}.</p>`
          : html`
              ${phaseKey(FLOW_PHASES[flow], 'Today')}
              <div class="charts">
                ${drawn.map(({ currency }, i) => chart(created, currency, `${flow}-${i}`, days, asked, text))}
              </div>
              ${totals.length > MOST_CHARTS ? html`<p class="fine">Drawn are the ${MOST_CHARTS} currencies with the most orders.</p>` : null}
              ${volumeTable(created, days, asked, text)} ${leftOut(mostUsed(totals).left, report)}
              ${statusTable(created, days, asked, text)}
            `
      }
    </section>
  `;
};

const settledReport = (flow: Flow, { first, today }: Days): string =>
  withParameters(`/console/reports/${flow}`, { from: first, to: today, basis: 'settled', groupBy: 'day' });

const settled = (flows: readonly FlowDays[], days: Days, asked: ConsoleQuestion, text: Text): Html => html`
  <section>
    <div class="section-head">
      <h2>Settled</h2>
      <a href="${settledReport('offramp', days)}">Report</a>
    </div>
    ${
      flows.every(({ settled: { answer } }) => answer.totals.length === 0)
        ? html`<p class="muted">No order has settled since ${days.first}.</p>`
        : html`${settledTable(flows, days, asked, text)}
          ${flows.map(
            ({ flow, settled: { answer } }) =>
              html`${leftOut(mostUsed(answer.totals).left, settledReport(flow, days))}`,
          )}`
    }
  </section>
`;

const NOTHING_ALLOWED = html`
  <section class="nothing">
    <h2>Your key shows no figures</h2>
    <p>It has none of the scopes reports:read, orders:read and audit:read. Sign in with one that has.</p>
  </section>
`;

const page = ({ health, days, attention: found, flows }: Seen, asked: ConsoleQuestion): PageAnswer => {
  const { personal, times, now } = asked;
  const text: Text = (value) => shownText(value, personal);
  const concerns = attention({ ...found, refused: !health.deliveries.ready }, text);
  return showPage({
    title: 'Overview',
    place: 'overview',
    live: 'all',
    main: html`
      <div class="heading">
        <h1>Overview</h1>
        <p class="muted">Today is ${days.today} in ${times.timeZone}</p>
        ${freshness(health, now)}
      </div>
      ${concerns} ${flows === null ? null : settled(flows, days, asked, text)}
      ${flows === null ? null : html`${flows.map((flow) => flowSection(flow, days, asked, text))}`}
      ${concerns === null && flows === null ? NOTHING_ALLOWED : null}
    `,
  });
};

/** What needs attention, as much of it as a key's scopes allow. */
const attentionFor = (
  deps: OverviewDependencies,
  { session: { key }, now }: ConsoleQuestion,
): TE.TaskEither<QueryFailure, Found> => {
  const [orders, audit, reports] = (['orders:read', 'audit:read', 'reports:read'] as const).map((scope) =>
    key.scopes.has(scope),
  );
  const tallies: TE.TaskEither<QueryFailure, Pick<Found, 'anomalies' | 'quarantined'>> = orders === true ||
  audit === true
    ? pipe(
        deps.readModels.tallies(now),
        TE.map(({ anomalies, quarantined }) => ({
          anomalies: orders === true ? anomalies : null,
          quarantined: audit === true ? quarantined : null,
        })),
      )
    : TE.right({ anomalies: null, quarantined: null });
  return pipe(
    apply.sequenceS(TE.ApplyPar)({
      tallies,
      open: reports === true ? openInMatch(deps) : TE.right(null),
      months:
        reports === true
          ? pipe(
              monthsToClose(deps),
              TE.map((months): Found['months'] => months),
              // They are streams of the event store: where it is away, all else is shown.
              TE.orElse(() => TE.right<QueryFailure, Found['months']>(null)),
            )
          : TE.right<QueryFailure, Found['months']>(null),
    }),
    TE.map(({ tallies: counted, open, months }) => ({ ...counted, open, months })),
  );
};

/** Today and the last thirty days, and what needs attention: as much of it as the key's scopes allow. */
export const overviewPage = (deps: OverviewDependencies): ConsoleRoute => ({
  method: 'get',
  path: '/',
  scopes: [],
  isLarge: true,
  saysHealth: true,
  answer: (asked) => {
    const days = daysAt(deps.calendar, asked.now);
    const flows: TE.TaskEither<QueryFailure, readonly FlowDays[] | null> = asked.session.key.scopes.has('reports:read')
      ? TE.traverseArray((flow: (typeof FLOWS)[number]) => flowDays(deps.readModels, flow, days))(FLOWS)
      : TE.right(null);
    return pipe(
      TE.fromEither(filledParameters(asked, {})),
      TE.chain(() =>
        apply.sequenceS(TE.ApplyPar)({
          health: TE.rightTask<QueryFailure, LedgerHealth>(deps.health),
          attention: attentionFor(deps, asked),
          flows,
        }),
      ),
      TE.map((seen) => page({ ...seen, days }, asked)),
    );
  },
});

import type { Closed } from '../../../projections/periods/index.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PeriodCheck } from '../../domain/own-event/period-events.ts';
import { checkWords } from '../../queries/words/check-words.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';

/** A check, and the page with what is behind it. */
type ShownCheck = PeriodCheck & { readonly href: string | null };

/** What is behind a check of a month that ends at `until`, moments as they are shown everywhere. */
export const checkDetail = ({ name, ok, detail }: PeriodCheck, until: Instant, { time }: Times): Html =>
  name === 'month-over' ? html`${ok ? 'it ended at' : 'it goes on until'} ${time(until)}` : html`${detail}`;

/** What is said of a check that is not met. */
type Missing = 'To do' | 'Accepted';

const row = (check: ShownCheck, missing: Missing, detail: Html): Html => html`
  <tr>
    <th scope="row">${checkWords(check.name)} <span class="code">${check.name}</span></th>
    <td><span class="${check.ok ? 'verdict yes' : 'verdict no'}">${check.ok ? 'OK' : missing}</span></td>
    <td>${check.href === null ? detail : html`<a href="${check.href}">${detail}</a>`}</td>
  </tr>
`;

/** What is looked at before a month is closed that ends at `until`, line by line. */
export const checkTable = (checks: readonly ShownCheck[], missing: Missing, until: Instant, times: Times): Html =>
  dataTable(
    { label: 'Readiness', layout: 'checks' },
    ['What must be so', 'State', 'What is behind it'],
    checks.map((check) => row(check, missing, checkDetail(check, until, times))),
  );

/** What was looked at when a month was closed: what it was closed over was accepted then. */
export const checksAtClose = ({ data: { checks, until } }: Closed, times: Times): Html =>
  checkTable(
    checks.map((check) => ({ ...check, href: null })),
    'Accepted',
    until,
    times,
  );

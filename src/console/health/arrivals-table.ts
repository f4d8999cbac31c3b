import { ACCEPTED, countsSince, parted, type ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import { refusalHints } from '../../arrivals/refusal-hints.ts';
import { amount } from '../amount.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What outcomes and refusals are called; the code stands beside it. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['recorded', 'Recorded'],
  ['duplicate', 'Came again, nothing changed'],
  ['conflict', 'Contradicted what was recorded'],
  ['quarantined', 'Signed, and could not be read'],
  ['spooled', 'Kept here while the store was away'],
  ['signature-mismatch', 'Wrong signature'],
  ['signature-missing', 'No signature'],
  ['signature-malformed', 'Signature of a wrong form'],
  ['too-old', 'Too old'],
  ['unsupported-media-type', 'Not JSON, or encoded'],
  ['body-too-large', 'Too large'],
  ['body-timeout', 'Body not there in time'],
  ['body-incomplete', 'Cut off'],
  ['not-durable', 'Could not be made durable'],
  ['overloaded', 'Too many at a time'],
]);

/** What somebody from finance calls an outcome. */
export const outcomeName = (outcome: string): string => NAMES.get(outcome) ?? outcome;

const row = (outcome: string, counts: readonly (number | undefined)[]): Html => html`
  <tr>
    <th scope="row">${outcomeName(outcome)} <span class="code">${outcome}</span></th>
    ${counts.map((count = 0) => html`<td class="figure">${count === 0 ? html`<span class="muted">0</span>` : amount(String(count))}</td>`)}
  </tr>
`;

/** What arrived in the last hour and day and in all, by what became of it, what was refused behind the rest. */
export const arrivalsTable = (seen: ArrivalsSeen, nowMs: number): Html => {
  const columns = [countsSince(seen, nowMs - HOUR), countsSince(seen, nowMs - DAY), seen.totals];
  const refused = Object.keys(seen.totals).filter((outcome) => !ACCEPTED.some((accepted) => accepted === outcome));
  const outcomes = [...ACCEPTED.filter((outcome) => Object.hasOwn(seen.totals, outcome)), ...refused.toSorted()];
  if (outcomes.length === 0) return html`<p class="muted">Nothing has arrived yet.</p>`;
  return dataTable(
    { label: 'What arrived' },
    ['What became of it', { figure: 'Last hour' }, { figure: 'Last day' }, { figure: 'Ever' }],
    outcomes.map((outcome) =>
      row(
        outcome,
        columns.map((counts) => counts[outcome]),
      ),
    ),
  );
};

/** What refused deliveries of the last day point at; nothing where none was refused. */
export const hintList = (seen: ArrivalsSeen, nowMs: number): Html | null => {
  const hints = refusalHints(seen, nowMs);
  if (hints.length === 0) return null;
  return html`
    <ul class="hints">
      ${hints.map(({ about, hint }) => html`<li><strong class="concern">${about}</strong> ${hint}</li>`)}
    </ul>
  `;
};

/** Whether anything was refused in the last day, in one line; null: nothing was. */
export const refusedLine = (seen: ArrivalsSeen, nowMs: number): string | null => {
  const { refused } = parted(countsSince(seen, nowMs - DAY));
  return refused === 0
    ? null
    : `${refused} ${refused === 1 ? 'delivery was' : 'deliveries were'} refused in the last day`;
};

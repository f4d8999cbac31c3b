import { AGE_CLASSES, type AgeClass } from '../../../projections/match/ageing.ts';
import { OPEN_STATES } from '../../../projections/match/match-item.ts';
import { branded } from '../../domain/brand.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { exactOf, plainText, plus, ZERO } from '../../domain/exact.ts';
import type { ReconciliationResource } from '../../queries/reconciliation/reconciliation.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { money, moneyWidth } from '../amount.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { STATE_WORDS } from './match-words.ts';
import { RECONCILIATION_PATH } from './reconciliation-path.ts';

/** The match as a whole, and by age. */
export type Summaries = {
  readonly all: ReconciliationResource;
  readonly byAge: ReadonlyMap<AgeClass, ReconciliationResource>;
};

/** How many items are open, and what they come to. */
type Open = { readonly items: number; readonly fiat: Decimal };

const NOTHING_OPEN: Open = { items: 0, fiat: branded<Decimal>('0') };

const openIn = ({ rows }: ReconciliationResource, currency: string | null): Open => {
  const its = rows.filter((row) => OPEN_STATES.has(row.state) && row.currency === currency);
  return {
    items: its.reduce((sum, { items }) => sum + items, 0),
    fiat: plainText(its.map(({ fiat }) => exactOf(branded<Decimal>(fiat))).reduce(plus, ZERO)),
  };
};

const shownAmount = (fiat: string, currency: string | null): Html =>
  currency === null ? html`` : html`<span class="of">${money(fiat, currency)}</span>`;

/** A number of items, and a link to them where its words may stand in a URL: none that hold what the reader may not see. */
const itemsLink = (words: Html, texts: Parameters<typeof withParameters>[1], personal: PersonalData): Html => {
  const { currency } = texts;
  return typeof currency === 'string' && shownText(currency, personal) !== currency
    ? words
    : html`<a href="${withParameters(RECONCILIATION_PATH, texts)}">${words}</a>`;
};

const openCell = (
  { items, fiat }: Open,
  currency: string | null,
  age: AgeClass | null,
  personal: PersonalData,
): Html => {
  const label = age === null ? 'In all' : ageWords(age);
  if (items === 0) return html`<td class="figure muted" data-label="${label}">–</td>`;
  return html`<td class="figure" data-label="${label}">
    ${itemsLink(html`${items}`, { currency, age }, personal)} ${shownAmount(fiat, currency)}
  </td>`;
};

/** What is open, since when and how much: by currency, and by age in days. */
export const openTable = ({ all, byAge }: Summaries, personal: PersonalData): Html => {
  const currencies = [
    ...new Set(all.rows.filter(({ state }) => OPEN_STATES.has(state)).map(({ currency }) => currency)),
  ];
  if (all.rows.length === 0)
    return html`<p class="muted">No order is due at the bank, and no bank line or transfer was brought in.</p>`;
  if (currencies.length === 0) return html`<p class="total"><strong>Nothing is open.</strong></p>`;
  return dataTable(
    { label: 'What is open, by currency and age', layout: 'open labelled' },
    ['Open', { figure: 'In all' }, ...AGE_CLASSES.map((age) => ({ figure: ageWords(age) }))],
    currencies.map(
      (currency) =>
        html`<tr>
          <th scope="row">${currency === null ? 'On chain alone' : shownText(currency, personal)}</th>
          ${openCell(openIn(all, currency), currency, null, personal)}
          ${AGE_CLASSES.map((age) => {
            const summary = byAge.get(age);
            const open = summary === undefined ? NOTHING_OPEN : openIn(summary, currency);
            return openCell(open, currency, age, personal);
          })}
        </tr>`,
    ),
  );
};

/** `2 to 3 days` for the class `2-3`, `over 30 days` for `30+`. */
export const ageWords = (age: AgeClass): string =>
  age.endsWith('+') ? `over ${age.slice(0, -1)} days` : `${age.replace('-', ' to ')} days`;

const stateRow = (
  { flow, currency, state, items, fiat, ageing }: ReconciliationResource['rows'][number],
  width: number,
  personal: PersonalData,
): Html => html`
  <tr>
    <th scope="row">
      ${itemsLink(html`${STATE_WORDS[state]}`, { state, currency, flow }, personal)}
      ${flow === null ? null : html`<span class="code">${FLOW_WORDS[flow]}</span>`}
    </th>
    <td class="figure" data-label="Amount">${money(fiat, currency ?? '', width)}</td>
    <td class="unit" data-label="Currency">${currency === null ? '–' : shownText(currency, personal)}</td>
    <td class="figure" data-label="Items">${items}</td>
    ${AGE_CLASSES.map((age) => html`<td class="figure ${ageing[age] === 0 ? 'muted' : ''}" data-label="${ageWords(age)}">${ageing[age]}</td>`)}
  </tr>
`;

/** Everything by state, matched and expected too. */
export const stateTable = ({ rows }: ReconciliationResource, personal: PersonalData): Html => {
  if (rows.length === 0) return html``;
  const width = moneyWidth(rows.map(({ fiat, currency }) => [fiat, currency ?? ''] as const));
  return html`<details>
    <summary>All items by state</summary>
    ${dataTable(
      { label: 'Items by state and age', layout: 'cells ageing labelled' },
      [
        'What',
        { figure: 'Amount' },
        { unseen: 'Currency' },
        { figure: 'Items' },
        ...AGE_CLASSES.map((age) => ({ figure: ageWords(age) })),
      ],
      rows.map((row) => stateRow(row, width, personal)),
    )}
  </details>`;
};

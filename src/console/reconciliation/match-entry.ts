import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { amount, money } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { DECISION_WORDS, decisionForms, type Back, type Unsaid } from './decision-forms.ts';
import { breakWords, RULE_WORDS, STATE_WORDS } from './match-words.ts';
import { ITEMS_FILE_PATH } from './reconciliation-path.ts';
import { sideTable } from './side-table.ts';

/** Fields of breaks that are amounts in the currency of their item. */
const MONEY_FIELDS: ReadonlySet<string> = new Set(['amount', 'commission', 'tds']);

/** Fields of breaks that are amounts of tokens, and what they are counted in. */
const TOKEN_FIELDS: ReadonlyMap<string, string> = new Map([
  ['baseUnits', 'base units'],
  ['tokenAmount', 'tokens'],
]);

type Break = MatchItemResource['breaks'][number];

/** Whether a side that stands alone in a break is said by its amount, though the break is of another field. */
const isAmountOfItem = (code: Break['code'], field: string, side: string): boolean =>
  (code === 'missing-at-provider' && side === 'bank') || (code === 'missing-on-chain' && field === 'txnHash');

/** So many of something. */
const so = (many: string, one: string, several: string): Html => html`${amount(many)} ${many === '1' ? one : several}`;

const sides = ({ code, field, order, bank, chain }: Break, currency: string | null): readonly Html[] => {
  // Of what fits equally well each side has how many there are.
  if (code === 'ambiguous')
    return [html`${so(order ?? '0', 'order', 'orders')}, ${so(bank ?? '0', 'bank line', 'bank lines')}`];
  const shown = (side: string, value: string): Html => {
    if (currency !== null && (MONEY_FIELDS.has(field) || isAmountOfItem(code, field, side)))
      return html`${money(value, currency)} ${currency}`;
    const unit = TOKEN_FIELDS.get(field);
    return unit === undefined ? html`${value}` : html`${amount(value)} ${unit}`;
  };
  const said = (
    [
      ['order', order],
      ['bank', bank],
      ['chain', chain],
    ] as const
  ).flatMap(([side, value]) => (value === null ? [] : [html`${side} ${shown(side, value)}`]));
  return said.map((one, i) => html`${i === 0 ? '' : ', '}${one}`);
};

/** What does not agree, each with what the sides say. */
export const breakList = ({ breaks, currency }: MatchItemResource): Html | null =>
  breaks.length === 0
    ? null
    : html`<ul class="breaks">
        ${breaks.map(
          (its) =>
            html`<li>
              <strong>${breakWords(its)}</strong> <span class="code">${its.code}</span>
              <span class="muted">${sides(its, currency)}</span>
            </li>`,
        )}
      </ul>`;

const lineIds = ({ lines }: MatchItemResource): Html | null =>
  lines.length === 0
    ? null
    : html`<details>
        <summary>Ids</summary>
        <ul class="fine">
          ${lines.map(({ lineId, raw }) => html`<li>line <code>${lineId}</code>${raw === null ? null : html`<pre tabindex="0"><code>${raw}</code></pre>`}</li>`)}
        </ul>
      </details>`;

/** How much of a large item is not shown, and where it is. */
const notShown = ({ counts, orders, lines, transfers }: MatchItemResource): Html | null => {
  const left = (
    [
      [counts.orders - orders.length, 'order', 'orders'],
      [counts.lines - lines.length, 'line', 'lines'],
      [counts.transfers - transfers.length, 'transfer', 'transfers'],
    ] as const
  ).flatMap(([many, one, several]) => (many > 0 ? [so(String(many), one, several)] : []));
  const [order, line] = [orders[0], lines[0]];
  const named =
    order !== undefined ? { orderId: order.orderId } : line !== undefined ? { lineId: line.lineId } : undefined;
  return left.length === 0 || named === undefined
    ? null
    : html`<p class="fine">
        ${left.map((some, i) => html`${i === 0 ? '' : ', '}${some}`)} more are not shown:
        <a href="${withParameters(ITEMS_FILE_PATH, { ...named, format: 'csv' })}">all of the item (CSV)</a>
      </p>`;
};

/** What it comes to in each of its currencies. */
const sumsOf = ({ currency, fiat, others }: MatchItemResource): MatchItemResource['others'] =>
  currency === null ? [] : [{ currency, fiat }, ...others];

/** An item with its sides next to each other, what differs marked, and what can be decided. */
export const matchEntry = (
  item: MatchItemResource,
  asked: ConsoleQuestion,
  back: Back,
  unsaid: Unsaid | null,
): Html => html`
  <li id="item-${item.itemId}" tabindex="-1">
    <div class="line">
      <a href="#item-${item.itemId}"><strong>${STATE_WORDS[item.state]}</strong></a>
      ${sumsOf(item).map(({ currency, fiat }) => html`<span class="sum-of">${money(fiat, currency)} ${currency}</span> `)}
      <span class="muted">${item.ageDays} ${item.ageDays === 1 ? 'day' : 'days'} old, of ${item.day}</span>
      ${item.rule === null ? null : html`<span class="muted">${RULE_WORDS[item.rule]} <span class="code">${item.rule}</span></span>`}
    </div>
    ${breakList(item)} ${sideTable(item)} ${notShown(item)} ${lineIds(item)}
    ${
      item.decision === null
        ? null
        : html`<p class="notice">
            <strong>${DECISION_WORDS[item.decision.decision]}:</strong> ${item.decision.note}
            <span class="muted">${item.decision.by}, ${asked.times.time(branded<Instant>(item.decision.at))}</span>
          </p>`
    }
    ${decisionForms(item, asked, back, unsaid)}
  </li>
`;

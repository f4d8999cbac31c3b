import type { DecisionKind } from '../../../projections/match/decision.ts';
import { OPEN_STATES } from '../../../projections/match/match-item.ts';
import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { amount, money } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import { BREAK_WORDS, RULE_WORDS, STATE_WORDS } from './match-words.ts';
import { ITEMS_FILE_PATH } from './reconciliation-path.ts';
import { sideTable } from './side-table.ts';

/** What leads back to the list after a decision. */
type Back = {
  /** The query of the list. */
  readonly query: string;
  /** The item that comes next; empty behind the last. */
  readonly next: string;
};

/** Where an item is decided on. */
const decisionPath = (itemId: string): string => `/console/reconciliation/${itemId}/decision`;

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
              <strong>${BREAK_WORDS[its.code]}</strong> <span class="code">${its.code}</span>
              <span class="muted">${sides(its, currency)}</span>
            </li>`,
        )}
      </ul>`;

const hiddenFields = ({ session }: ConsoleQuestion, { query, next }: Back): Html => html`
  ${tokenField(session)}<input type="hidden" name="back" value="${query}" /><input
    type="hidden"
    name="next"
    value="${next}"
  />
`;

/** Takes a decision on an item back. */
export const undoForm = (itemId: string, asked: ConsoleQuestion, back: Back): Html =>
  asked.session.key.scopes.has('statements:write')
    ? html`<form class="decide" method="post" action="${decisionPath(itemId)}">
        ${hiddenFields(asked, back)}
        <button class="second" type="submit" name="decision" value="undo" data-key="u">Take it back</button>
      </form>`
    : html``;

const decisionForm = (itemId: string, asked: ConsoleQuestion, back: Back): Html =>
  html`<form class="decide" method="post" action="${decisionPath(itemId)}">
    ${hiddenFields(asked, back)}
    <label>Why<input name="note" maxlength="2000" autocomplete="off" data-key="n" /></label>
    <label
      >Together with<input
        name="with"
        maxlength="4000"
        autocomplete="off"
        spellcheck="false"
        placeholder="ids of orders or lines, where not all of it is meant"
    /></label>
    <div class="actions">
      <button class="second" type="submit" name="decision" value="explain" data-key="e" title="It needs nothing more">
        Off the list
      </button>
      <button
        class="second"
        type="submit"
        name="decision"
        value="accept"
        data-key="a"
        title="It belongs together, although it differs"
      >
        They belong together
      </button>
      <button class="second" type="submit" name="decision" value="reject" data-key="p" title="It was joined wrongly">
        They do not
      </button>
    </div>
  </form>`;

/** What was decided can be taken back; where the item is still open, as those are that were parted, it is decided on further. */
const decisionForms = ({ itemId, decision, state }: MatchItemResource, asked: ConsoleQuestion, back: Back): Html => {
  if (!asked.session.key.scopes.has('statements:write')) return html``;
  const undo = decision === null ? null : undoForm(itemId, asked, back);
  return decision === null || OPEN_STATES.has(state)
    ? html`${decisionForm(itemId, asked, back)} ${undo}`
    : html`${undo}`;
};

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
  const name = orders[0]?.orderId ?? lines[0]?.lineId;
  return left.length === 0 || name === undefined
    ? null
    : html`<p class="fine">
        ${left.map((some, i) => html`${i === 0 ? '' : ', '}${some}`)} more are not shown:
        <a href="${withParameters(ITEMS_FILE_PATH, { text: name, format: 'csv' })}">all of the item (CSV)</a>
      </p>`;
};

/** What was decided, as people say it. */
export const DECISION_WORDS: Readonly<Record<DecisionKind, string>> = {
  accept: 'They belong together',
  reject: 'They do not belong together',
  explain: 'Taken off the list',
};

/** What it comes to in each of its currencies. */
const sumsOf = ({ currency, fiat, others }: MatchItemResource): MatchItemResource['others'] =>
  currency === null ? [] : [{ currency, fiat }, ...others];

/** An item with its sides next to each other, what differs marked, and what can be decided. */
export const matchEntry = (item: MatchItemResource, asked: ConsoleQuestion, back: Back): Html => html`
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
    ${decisionForms(item, asked, back)}
  </li>
`;

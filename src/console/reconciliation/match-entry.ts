import type { BreakCode } from '../../../projections/match/break.ts';
import type { MatchState } from '../../../projections/match/match-item.ts';
import type { DecisionKind } from '../../../projections/match/decision.ts';
import { branded } from '../../domain/brand.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { statusWords } from '../../queries/words/status-words.ts';
import { amount, money } from '../amount.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import { shortened } from '../shortened.ts';

/** States as people call them. */
export const STATE_WORDS: Readonly<Record<MatchState, string>> = {
  matched: 'Matched',
  expected: 'Expected',
  'unmatched-order': 'Missing at bank or chain',
  'unmatched-line': 'Bank line without an order',
  'unmatched-transfer': 'Transfer without an order',
  ambiguous: 'Several fit',
  break: 'Does not agree',
  explained: 'Explained',
};

/** Breaks as people call them. */
const BREAK_WORDS: Readonly<Record<BreakCode, string>> = {
  'missing-at-provider': 'The provider has no order for it',
  'missing-at-bank': 'The bank has nothing for it',
  'missing-on-chain': 'The chain has nothing for it',
  duplicate: 'Two orders have it',
  'amount-over': 'More was moved',
  'amount-under': 'Less was moved',
  'currency-mismatch': 'Another currency',
  'token-mismatch': 'Another token',
  'recipient-mismatch': 'Another wallet',
  'fee-variance': 'The difference is the commission',
  'tds-variance': 'The difference is the TDS',
  'unknown-reference': 'No order has its references',
  ambiguous: 'Several orders or lines of one amount and day',
  'date-outside-tolerance': 'Booked too far from the settlement',
  timing: 'Not due yet',
  reversed: 'Paid, then taken back by the bank',
  'status-conflict': 'Moved, though the provider says it failed or is open',
};

const sum = (text: string, currency: string): Html =>
  html`<span class="sum-of">${money(text, currency)} ${currency}</span>`;

const orderPart = (order: MatchItemResource['orders'][number]): Html => html`
  <li>
    ${sum(order.fiat.amount, order.fiat.currency)}
    <a class="id" href="${orderPath(branded<OrderId>(order.orderId))}">${order.orderId}</a>
    <span class="fine"
      >${statusWords(order.flow, order.status)}${order.settledOn === null ? '' : `, settled ${order.settledOn}`}</span
    >
  </li>
`;

const linePart = (line: MatchItemResource['lines'][number]): Html => html`
  <li>
    ${sum(line.amount, line.currency)}
    <span
      >${line.direction === 'out' ? 'paid out' : 'received'}${line.reversal ? ', taken back' : ''}
      <code>${line.references.join(' ')}</code></span
    >
    <span class="fine">${line.text}</span>
    <span class="fine">booked ${line.bookedOn} on ${line.account}</span>
  </li>
`;

const transferPart = (transfer: MatchItemResource['transfers'][number]): Html => html`
  <li>
    <span class="sum-of"
      >${amount(transfer.amount ?? transfer.baseUnits ?? '0')}
      ${transfer.amount === null ? 'base units' : 'tokens'}</span
    >
    <span>to ${shortened(transfer.to)}</span>
    <span class="fine"
      >${transfer.status} on chain ${transfer.chainId}, transaction ${shortened(transfer.txnHash)}</span
    >
  </li>
`;

const side = (name: string, parts: readonly Html[]): Html => html`
  <div>
    <h3>${name}</h3>
    ${
      parts.length === 0
        ? html`<p class="muted">nothing found</p>`
        : html`<ul>
            ${parts}
          </ul>`
    }
  </div>
`;

/** What a side has in the field that differs: an amount, a day, an address. */
const differing = (field: string, text: string | null, currency: string): Html => {
  if (text === null) return html`<span class="muted">nothing</span>`;
  return html`<strong>${field === 'amount' && /^-?\d/.test(text) ? money(text, currency) : shortened(text)}</strong>`;
};

const breakRow = (
  { code, field, order, bank, chain }: MatchItemResource['breaks'][number],
  currency: string,
): Html => html`
  <tr>
    <th scope="row">${BREAK_WORDS[code]} <span class="code">${code}</span></th>
    <td>${field}</td>
    <td>${differing(field, order, currency)}</td>
    <td>${differing(field, bank, currency)}</td>
    <td>${differing(field, chain, currency)}</td>
  </tr>
`;

/** A side that has nothing is said above already: the table is for what differs between two that are there. */
const breakTable = (breaks: MatchItemResource['breaks'], currency: string): Html | null => {
  const [apart, alone] = [
    breaks.filter(({ order, bank, chain }) => [order, bank, chain].filter((one) => one !== null).length > 1),
    breaks.filter(({ order, bank, chain }) => [order, bank, chain].filter((one) => one !== null).length <= 1),
  ];
  return html`
    ${alone.map(({ code }) => html`<p class="concern">${BREAK_WORDS[code]} <span class="code">${code}</span></p>`)}
    ${
      apart.length === 0
        ? null
        : html`<div class="scroll" tabindex="0" role="group" aria-label="What differs">
            <table class="differs">
              <thead>
                <tr>
                  <th scope="col">What differs</th>
                  <th scope="col">Field</th>
                  <th scope="col">Order</th>
                  <th scope="col">Bank</th>
                  <th scope="col">Chain</th>
                </tr>
              </thead>
              <tbody>
                ${apart.map((one) => breakRow(one, currency))}
              </tbody>
            </table>
          </div>`
    }
  `;
};

/** What leads back to the list after a decision. */
export type Back = { readonly state: string };

const decisionForm = ({ itemId, decision }: MatchItemResource, { session }: ConsoleQuestion, { state }: Back): Html => {
  if (!session.key.scopes.has('statements:write')) return html``;
  const hidden = html`${tokenField(session)}<input type="hidden" name="state" value="${state}" />`;
  const action = `/console/reconciliation/${itemId}/decision`;
  if (decision !== null) {
    return html`<form method="post" action="${action}">
      ${hidden}<button class="quiet" type="submit" name="decision" value="undo">Take it back</button>
    </form>`;
  }
  return html`<form class="decide" method="post" action="${action}">
    ${hidden}
    <label>Why<input name="note" maxlength="2000" autocomplete="off" /></label>
    <label
      >Together with<input name="with" maxlength="4000" autocomplete="off" placeholder="ids of lines or orders"
    /></label>
    <div class="actions">
      <button class="second" type="submit" name="decision" value="explain">Off the list</button>
      <button class="quiet" type="submit" name="decision" value="accept">They belong together</button>
      <button class="quiet" type="submit" name="decision" value="reject">They do not</button>
    </div>
  </form>`;
};

/** What was decided, as people say it. */
const DECISION_WORDS: Readonly<Record<DecisionKind, string>> = {
  accept: 'They belong together',
  reject: 'They do not belong together',
  explain: 'Taken off the list',
};

/** An item with its sides next to each other, what differs, and what can be decided. */
export const matchEntry = (item: MatchItemResource, asked: ConsoleQuestion, back: Back): Html => html`
  <li id="item-${item.itemId}">
    <div class="line">
      <a href="#item-${item.itemId}"><strong>${STATE_WORDS[item.state]}</strong></a>
      ${item.currency === null ? null : sum(item.fiat, item.currency)}
      <span class="muted">${item.ageDays} ${item.ageDays === 1 ? 'day' : 'days'} old, of ${item.day}</span>
      ${item.rule === null ? null : html`<span class="muted">by rule <span class="code">${item.rule}</span></span>`}
    </div>
    <div class="sides">
      ${side('Order', item.orders.map(orderPart))} ${side('Bank', item.lines.map(linePart))}
      ${side('Chain', item.transfers.map(transferPart))}
    </div>
    ${breakTable(item.breaks, item.currency ?? '')}
    ${
      item.decision === null
        ? null
        : html`<p class="notice">
            <strong>${DECISION_WORDS[item.decision.decision]}:</strong> ${item.decision.note}
            <span class="muted">${item.decision.by}, ${asked.times.time(branded<Instant>(item.decision.at))}</span>
          </p>`
    }
    ${decisionForm(item, asked, back)}
  </li>
`;

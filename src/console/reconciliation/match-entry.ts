import type { BreakCode } from '../../../projections/match/break.ts';
import type { MatchState } from '../../../projections/match/match-item.ts';
import { branded } from '../../domain/brand.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';

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

const orderPart = ({ orderId, status, fiat, settledOn }: MatchItemResource['orders'][number]): Html => html`
  <li>
    <a href="${orderPath(branded<OrderId>(orderId))}">${orderId}</a> ${fiat.amount} ${fiat.currency}<br />
    <span class="fine">${status}${settledOn === null ? '' : `, settled ${settledOn}`}</span>
  </li>
`;

const linePart = (line: MatchItemResource['lines'][number]): Html => html`
  <li>
    ${line.direction === 'out' ? 'paid out' : 'received'} ${line.amount}
    ${line.currency}${line.reversal ? ', taking back' : ''}<br />
    <span class="fine">booked ${line.bookedOn} on ${line.account}</span><br />
    <code>${line.references.join(' ')}</code> ${line.text}
  </li>
`;

const transferPart = (transfer: MatchItemResource['transfers'][number]): Html => html`
  <li>
    ${transfer.baseUnits ?? transfer.amount} to <code>${transfer.to}</code><br />
    <span class="fine">${transfer.status} on chain ${transfer.chainId}</span> <code>${transfer.txnHash}</code>
  </li>
`;

const listed = (name: string, parts: readonly Html[]): Html => html`
  <div>
    <h3>${name}</h3>
    ${
      parts.length === 0
        ? html`<p class="muted">nothing</p>`
        : html`<ul>
            ${parts}
          </ul>`
    }
  </div>
`;

const breakRow = ({ code, field, order, bank, chain }: MatchItemResource['breaks'][number]): Html => html`
  <tr>
    <th scope="row">${BREAK_WORDS[code]} <code>${code}</code></th>
    <td>${field}</td>
    <td><mark>${order}</mark></td>
    <td><mark>${bank}</mark></td>
    <td><mark>${chain}</mark></td>
  </tr>
`;

const breakTable = (breaks: MatchItemResource['breaks']): Html | null =>
  breaks.length === 0
    ? null
    : html`<div class="scroll" tabindex="0" role="group" aria-label="What differs">
        <table>
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
            ${breaks.map(breakRow)}
          </tbody>
        </table>
      </div>`;

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
    <label>With<input name="with" maxlength="4000" autocomplete="off" placeholder="ids of lines or orders" /></label>
    <button type="submit" name="decision" value="explain">Explain</button>
    <button class="quiet" type="submit" name="decision" value="accept">Accept</button>
    <button class="quiet" type="submit" name="decision" value="reject">Part</button>
  </form>`;
};

/** An item with its sides next to each other, what differs marked, and what can be decided. */
export const matchEntry = (item: MatchItemResource, asked: ConsoleQuestion, back: Back): Html => html`
  <li id="item-${item.itemId}">
    <div class="line">
      <a href="#item-${item.itemId}"><strong>${STATE_WORDS[item.state]}</strong></a>
      <span>${item.fiat} ${item.currency}</span>
      <span class="muted">${item.ageDays} ${item.ageDays === 1 ? 'day' : 'days'} old, of ${item.day}</span>
      ${item.rule === null ? null : html`<span class="muted">by rule <code>${item.rule}</code></span>`}
    </div>
    <div class="sides">
      ${listed('Order', item.orders.map(orderPart))} ${listed('Bank', item.lines.map(linePart))}
      ${listed('Chain', item.transfers.map(transferPart))}
    </div>
    ${breakTable(item.breaks)}
    ${
      item.decision === null
        ? null
        : html`<p class="notice">
            ${item.decision.decision} by ${item.decision.by}, ${item.decision.at}: ${item.decision.note}
          </p>`
    }
    ${decisionForm(item, asked, back)}
  </li>
`;

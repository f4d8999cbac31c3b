import { branded } from '../../domain/brand.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { MatchItemResource } from '../../queries/reconciliation/match-item-resource.ts';
import { amount as plainAmount, money } from '../amount.ts';
import { PAYOUT_WORDS } from '../../queries/words/payout-words.ts';
import { chain } from '../chain.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { orderPath } from '../links.ts';
import { shortened } from '../shortened.ts';
import { statusBadge } from '../status-badge.ts';
import { MOVED_WORDS } from './match-words.ts';

type Order = MatchItemResource['orders'][number];
type Line = MatchItemResource['lines'][number];
type Transfer = MatchItemResource['transfers'][number];

/** What the three sides say of one thing; a side that has several of them says it for each. */
type Row = {
  readonly name: string;
  /** Fields of breaks that this row is about. */
  readonly fields: readonly string[];
  readonly orders: readonly Html[];
  readonly lines: readonly Html[];
  readonly transfers: readonly Html[];
};

const code = (text: string | null): readonly Html[] => (text === null || text === '' ? [] : [shortened(text)]);

const plain = (text: string | null): readonly Html[] => (text === null || text === '' ? [] : [html`${text}`]);

const movedIn = ({ direction, amount, currency }: Line): Html =>
  html`${money(amount, currency)} ${currency} <span class="fine">${direction}</span>`;

const orderLink = ({ orderId }: Order): Html =>
  html`<a href="${orderPath(branded<OrderId>(orderId))}"><code>${orderId}</code></a>`;

const amountOnChain = ({ baseUnits, amount }: Transfer): readonly Html[] =>
  baseUnits === null ? plain(amount) : [html`${plainAmount(baseUnits)} <span class="fine">base units</span>`];

const rowsOf = ({ orders, payouts, lines, transfers }: MatchItemResource): readonly Row[] => {
  const hasChain = transfers.length > 0 || orders.some(({ txnHash }) => txnHash !== null);
  const utrs = payouts.flatMap(({ utr, state }) =>
    utr === null ? [] : [html`<code>${utr}</code> <span class="fine">${PAYOUT_WORDS[state].toLowerCase()}</span>`],
  );
  return [
    {
      name: 'Status',
      fields: ['status', 'order'],
      orders: orders.map(({ flow, status, phase }) => statusBadge(flow, status, phase)),
      lines: lines.map(
        ({ direction, reversal }) => html`${reversal ? 'taken back' : (MOVED_WORDS[direction] ?? direction)}`,
      ),
      transfers: transfers.map(({ status }) => html`${status}`),
    },
    {
      name: 'Amount',
      fields: ['amount', 'currency', 'commission', 'tds'],
      orders: orders.map(({ fiat }) => html`${money(fiat.amount, fiat.currency)} ${fiat.currency}`),
      lines: lines.map(movedIn),
      transfers: [],
    },
    {
      name: 'Day',
      fields: ['bookedOn', 'settledAt'],
      orders: orders.map(({ settledOn, createdOn }) =>
        settledOn === null
          ? html`created <span class="moment">${createdOn}</span>`
          : html`settled <span class="moment">${settledOn}</span>`,
      ),
      lines: lines.map(({ bookedOn }) => html`booked <span class="moment">${bookedOn}</span>`),
      transfers: transfers.flatMap(({ block }) => (block === null ? [] : [html`block ${block}`])),
    },
    {
      name: 'Reference',
      fields: ['utr', 'reference', 'txnHash'],
      orders: [...utrs, ...(hasChain ? orders.flatMap(({ txnHash }) => code(txnHash)) : [])],
      lines: lines.flatMap(({ references }) => code(references.join(' '))),
      transfers: transfers.flatMap(({ txnHash }) => code(txnHash)),
    },
    {
      name: 'Tokens',
      fields: ['baseUnits', 'tokenAmount'],
      orders: hasChain
        ? orders.flatMap(({ token }) =>
            token.baseUnits === null
              ? plain(token.amount)
              : [html`${plainAmount(token.baseUnits)} <span class="fine">base units</span>`],
          )
        : [],
      lines: [],
      transfers: transfers.flatMap(amountOnChain),
    },
    {
      name: 'Token',
      fields: ['token'],
      orders: hasChain ? orders.flatMap(({ token }) => code(token.address)) : [],
      lines: [],
      transfers: transfers.flatMap(({ token }) => (token === null ? [html`the chain's own coin`] : code(token))),
    },
    {
      name: 'Wallet',
      fields: ['to'],
      orders: hasChain ? orders.flatMap(({ walletAddress }) => code(walletAddress)) : [],
      lines: [],
      transfers: transfers.flatMap(({ to }) => code(to)),
    },
    {
      name: 'Account and text',
      fields: [],
      orders: [],
      lines: lines.map(({ account, text }) => html`${account} <span class="said">${text}</span>`),
      transfers: transfers.map(({ chainId }) => html`chain ${chain(String(chainId))}`),
    },
  ];
};

const cell = (side: string, parts: readonly Html[], differs: boolean): Html => {
  if (parts.length === 0)
    return html`<td class="muted" data-label="${side}">${differs ? html`<mark>nothing</mark>` : null}</td>`;
  return html`<td data-label="${side}">
    ${parts.map((part) => html`<div>${differs ? html`<mark>${part}</mark>` : part}</div>`)}
  </td>`;
};

const tableRow = ({ name, fields, orders, lines, transfers }: Row, item: MatchItemResource): Html => {
  const its = item.breaks.filter(({ field }) => fields.includes(field));
  const differs = its.length > 0;
  const said = (side: 'order' | 'bank' | 'chain'): boolean => its.some((one) => one[side] !== null);
  return html`<tr class="${differs ? 'differs' : ''}">
    <th scope="row">${name}</th>
    ${cell('Order', orders, differs && (orders.length > 0 || said('order')))}
    ${cell('Bank', lines, differs && said('bank'))} ${cell('Chain', transfers, differs && said('chain'))}
  </tr>`;
};

const orderHead = ({ orders, counts }: MatchItemResource): Html => {
  if (orders.length === 0) return html`Order <span class="muted">– there is none</span>`;
  const more = counts.orders - orders.length;
  return html`Order
  ${orders.map((order, i) => html`${i === 0 ? '' : ', '}${orderLink(order)}`)}${more > 0 ? html` <span class="fine">and ${more} more</span>` : null}`;
};

const counted = (many: number, one: string, several: string): Html =>
  many === 0
    ? html`<span class="muted">– no ${one}</span>`
    : html`<span class="fine">${plainAmount(String(many))} ${many === 1 ? one : several}</span>`;

/** Order, bank and chain next to each other, thing by thing; what differs is marked. */
export const sideTable = (item: MatchItemResource): Html => {
  const rows = rowsOf(item).filter(
    ({ orders, lines, transfers }) => orders.length + lines.length + transfers.length > 0,
  );
  return dataTable(
    { label: 'Order, bank and chain of this item', layout: 'compared labelled' },
    [
      'What',
      {
        cells: html`
          <th scope="col">${orderHead(item)}</th>
          <th scope="col">Bank ${counted(item.counts.lines, 'line', 'lines')}</th>
          <th scope="col">Chain ${counted(item.counts.transfers, 'transfer', 'transfers')}</th>
        `,
      },
    ],
    rows.map((row) => tableRow(row, item)),
  );
};

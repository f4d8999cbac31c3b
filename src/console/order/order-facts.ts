import { jsonLeaves } from '../../queries/tables/json-leaves.ts';
import { amount, money } from '../amount.ts';
import { shortened } from '../shortened.ts';
import { factList } from '../fact-list.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';
import { chain } from '../chain.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import type { ShownOrder } from '../shown-order.ts';

/** Text that one wants to take elsewhere: with a button that copies it, where scripts run. */
export const copied = (text: string): Html =>
  html`<span class="copied"
    >${shortened(text)}<button class="copy" type="button" data-copy="${text}" hidden>Copy</button></span
  >`;

const copiedWhere = (text: string | null): Html | null => (text === null || text === '' ? null : copied(text));

/** What is known of an order, in the groups that people ask for. */
export const orderFacts = (order: ShownOrder, { time }: Times): Html => {
  const { customer, fiat, token } = order;
  const more = jsonLeaves(order.metaData).filter(([, text]) => text !== '');
  return html`
    <div class="groups">
      <section>
        <h2>Money</h2>
        ${factList([
          ['Fiat', html`${money(fiat.amount, fiat.currency)} ${fiat.currency}`],
          ['Tokens', token.amount === null ? null : html`${amount(token.amount)} ${token.symbol}`],
          ['Base units', token.baseUnits === null ? null : amount(token.baseUnits)],
          [
            'Tokens deducted',
            order.tokensDeducted === null ? null : html`${amount(order.tokensDeducted)} ${token.symbol}`,
          ],
          [
            'Commission',
            order.commission === null ? null : html`${money(order.commission, fiat.currency)} ${fiat.currency}`,
          ],
          ['Conversion rate', order.conversionRate === null ? null : amount(order.conversionRate)],
          ['TDS', order.tds === null ? null : html`${money(order.tds, fiat.currency)} ${fiat.currency}`],
        ])}
      </section>
      <section>
        <h2>Where it goes</h2>
        ${factList([
          ['Flow', FLOW_WORDS[order.flow]],
          ['Wallet', copiedWhere(order.walletAddress)],
          ['Token contract', copiedWhere(token.address)],
          ['Chain', chain(token.chainId)],
          ['Transaction hash', copiedWhere(order.txnHash)],
          ['Transaction id', copiedWhere(order.transactionId)],
          ['Tenant', order.tenantId],
        ])}
      </section>
      <section>
        <h2>Customer</h2>
        ${factList([
          ['Id', copiedWhere(customer.id)],
          ['Name', customer.name],
          ['E-mail', customer.email],
          ['Phone', customer.phone],
        ])}
      </section>
      <section>
        <h2>When</h2>
        ${factList([
          ['Created', time(order.createdAt)],
          ['Settled', order.settledAt === null ? null : time(order.settledAt)],
          ['First received', time(order.firstReceivedAt)],
          ['Last received', time(order.lastReceivedAt)],
        ])}
      </section>
      ${
        more.length === 0
          ? null
          : html`<section>
              <h2>Further data</h2>
              ${factList(more.map(([path, text]) => [path, text]))}
            </section>`
      }
    </div>
  `;
};

import type { OrderTotal } from '../../read-models/order-sums.ts';
import { money } from '../amount.ts';
import { html, type Html } from '../html.ts';

/** What all pages of a list come to: how many orders, and their fiat for each currency. */
export const totalLine = ({ orders, atLeast, byCurrency }: OrderTotal, text: (value: string) => string): Html => html`
  <p class="total">
    <span class="number"
      >${atLeast ? 'at least ' : ''}<strong>${orders}</strong> ${orders === 1 ? 'order' : 'orders'}</span
    >
    ${byCurrency.map(
      ({ currency, fiat }) =>
        html`<span class="part"><strong>${money(fiat, currency)}</strong> ${text(currency)}</span>`,
    )}
  </p>
`;

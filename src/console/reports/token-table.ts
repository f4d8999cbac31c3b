import type { ReportSums } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import { amount, fractionWidth } from '../amount.ts';
import { chain } from '../chain.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { shortened } from '../shortened.ts';

/** Tokens moved by settled orders, a line for each token address and chain of a currency: they are never added. */
export const tokenTable = (totals: readonly ReportSums[], flow: Flow, text: (value: string) => string): Html | null => {
  const lines = totals.flatMap(({ currency, tokens }) => tokens.map((token) => ({ currency, token })));
  if (lines.length === 0) return null;
  const width = fractionWidth(lines.map(({ token }) => token.amount));
  const rateWidth = fractionWidth(lines.map(({ token }) => token.averageConversionRate));
  return html`
    <section>
      <h2>${flow === 'onramp' ? 'Tokens transferred' : 'Tokens deducted'}, settled orders</h2>
      ${dataTable(
        { label: 'Tokens', layout: 'labelled' },
        [
          'Token',
          'Chain',
          'Contract',
          'Currency',
          { figure: 'Amount' },
          ...(flow === 'onramp' ? [{ figure: 'Base units' }, { figure: 'Rate, weighted' }] : []),
        ],
        lines.map(
          ({ currency, token }) => html`
            <tr>
              <th scope="row">${text(token.symbol)}</th>
              <td class="moment">${chain(token.chainId)}</td>
              <td>${shortened(text(token.address))}</td>
              <td data-label="Currency">${text(currency)}</td>
              <td class="figure" data-label="Amount">${amount(token.amount, width)}</td>
              ${
                flow === 'onramp'
                  ? html`<td class="figure" data-label="Base units">
                        ${token.baseUnits === null ? '–' : amount(token.baseUnits)}
                      </td>
                      <td class="figure" data-label="Rate, weighted">
                        ${token.averageConversionRate === null ? '–' : amount(token.averageConversionRate, rateWidth)}
                      </td>`
                  : null
              }
            </tr>
          `,
        ),
      )}
    </section>
  `;
};

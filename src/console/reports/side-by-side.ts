import type { Flow } from '../../domain/flow.ts';
import type { ChangedTotals } from '../../queries/periods/book/closed-against-now.ts';
import { inReadingOrder, isMoney, measureWords } from '../../queries/words/measure-words.ts';
import { money, moneyWidth } from '../amount.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';

/** What a measure was, what it is, and how much more that is. Money is shown as everywhere. */
export const differenceCells = (
  name: string,
  currency: string,
  { closed, now, difference }: Readonly<Record<'closed' | 'now' | 'difference', number | string>>,
): Html => {
  const figures = [closed, now, difference].map(String);
  const width = moneyWidth(figures.map((text) => [text, currency] as const));
  return html`${figures.map(
    (text) => html`<td class="figure">${isMoney(name) ? money(text, currency, width) : text}</td>`,
  )}`;
};

/** In base units the amounts of tokens are said again; the page of the month has them. */
const isShown = (name: string): boolean => !name.endsWith('.baseUnits');

/** The figures of a closed month that would be others now, as they were closed and as they are, side by side. */
export const sideBySide = (
  flow: Flow,
  changed: readonly ChangedTotals[],
  text: (value: string) => string,
): Html | null =>
  changed.length === 0
    ? null
    : html`
        <section>
          <h2>Closed, and now</h2>
          ${dataTable(
            { label: 'Closed, and now' },
            ['Currency', 'Measure', { figure: 'Closed' }, { figure: 'Now' }, { figure: 'Difference' }],
            changed.flatMap(({ currency, measures }) =>
              inReadingOrder(measures)
                .filter(([name]) => isShown(name))
                .map(
                  ([name, difference]) =>
                    html`<tr>
                      <th scope="row">${text(currency)}</th>
                      <td>${text(measureWords(flow, name))}</td>
                      ${differenceCells(name, currency, difference)}
                    </tr>`,
                ),
            ),
          )}
        </section>
      `;

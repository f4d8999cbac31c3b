import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderTotal } from '../../read-models/order-sums.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

/** Parameters that narrow a list down, with their names on its form; those of one line belong together. */
const NARROWING: readonly (readonly [name: string, parameters: readonly string[]])[] = [
  ['the flow', ['flow']],
  ['the phase', ['phase']],
  ['the status', ['status']],
  ['the currency', ['currency']],
  ['the token', ['token']],
  ['the chain', ['chainId']],
  ['the days', ['from', 'to', 'basis']],
  ['the anomaly', ['anomaly']],
  ['the moment', ['asOf']],
];

/** A part of a filter without which there would be orders. */
export type Excluding = { readonly name: string; readonly href: string; readonly orders: number };

const without = (texts: FilledTexts, left: readonly string[]): FilledTexts =>
  new Map([...texts].filter(([name]) => !left.includes(name)));

/**
 * Which parts of a filter that finds nothing exclude everything: those without which it would find orders.
 *
 * @param totalOf what a list with these parameters comes to
 */
export const excludedBy = (
  texts: FilledTexts,
  totalOf: (texts: FilledTexts) => TE.TaskEither<QueryFailure, OrderTotal | null>,
): TE.TaskEither<QueryFailure, readonly Excluding[]> => {
  const given = NARROWING.filter(([, parameters]) => parameters.some((name) => texts.has(name)));
  // A single part is said by the list of all orders.
  if (given.length < 2) return TE.right([]);
  return pipe(
    given,
    TE.traverseArray(([name, parameters]) => {
      const rest = without(texts, parameters);
      return pipe(
        totalOf(rest),
        TE.map((total) => ({
          name,
          href: withParameters('/console/orders', Object.fromEntries(rest)),
          orders: total?.orders ?? 0,
        })),
      );
    }),
    TE.map((found) => found.filter(({ orders }) => orders > 0)),
  );
};

/** What stands in the place of a list that is empty. */
export const nothingFits = (excluding: readonly Excluding[]): Html => html`
  <section class="nothing">
    <h2>No orders here</h2>
    ${
      excluding.length === 0
        ? html`<p>No order fits these filters.</p>`
        : html`<p>No order fits the whole filter. With one part of it left out there are:</p>
            <ul>
              ${excluding.map(
                ({ name, href, orders }) =>
                  html`<li>Without ${name}: <a href="${href}">${orders} ${orders === 1 ? 'order' : 'orders'}</a></li>`,
              )}
            </ul>`
    }
    <p><a href="/console/orders">Show all orders</a>, or search with <kbd>/</kbd>.</p>
  </section>
`;

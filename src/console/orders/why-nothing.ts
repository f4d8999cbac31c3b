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
type Excluding = { readonly name: string; readonly href: string; readonly orders: number };

/** Why a filter finds nothing. */
export type NothingFound = {
  /** Parts without which it would find orders. */
  readonly excluding: readonly Excluding[];
  /** Where no single part makes it so: those that no order at all fits. */
  readonly fitting: readonly string[];
  /** Its first day is later than its last. */
  readonly isBackwards: boolean;
};

export const SOMETHING_FOUND: NothingFound = { excluding: [], fitting: [], isBackwards: false };

type Part = (typeof NARROWING)[number];

type TotalOf = (texts: FilledTexts) => TE.TaskEither<QueryFailure, OrderTotal | null>;

const without = (texts: FilledTexts, left: readonly string[]): FilledTexts =>
  new Map([...texts].filter(([name]) => !left.includes(name)));

const only = (texts: FilledTexts, kept: readonly string[]): FilledTexts =>
  new Map([...texts].filter(([name]) => kept.includes(name)));

const excludedBy = (
  texts: FilledTexts,
  parts: readonly Part[],
  totalOf: TotalOf,
): TE.TaskEither<QueryFailure, readonly Excluding[]> =>
  pipe(
    parts,
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

/** Parts that find nothing even alone. */
const fittingNothing = (
  texts: FilledTexts,
  parts: readonly Part[],
  totalOf: TotalOf,
): TE.TaskEither<QueryFailure, readonly string[]> =>
  pipe(
    parts,
    TE.traverseArray(([name, parameters]) =>
      pipe(
        totalOf(only(texts, parameters)),
        TE.map((total) => ({ name, orders: total?.orders ?? 0 })),
      ),
    ),
    TE.map((found) => found.filter(({ orders }) => orders === 0).map(({ name }) => name)),
  );

/**
 * Which parts of a filter that finds nothing make it so.
 *
 * @param totalOf what a list with these parameters comes to
 */
export const whyNothing = (texts: FilledTexts, totalOf: TotalOf): TE.TaskEither<QueryFailure, NothingFound> => {
  const [from, to] = [texts.get('from'), texts.get('to')];
  if (from !== undefined && to !== undefined && to < from) return TE.right({ ...SOMETHING_FOUND, isBackwards: true });
  const given = NARROWING.filter(([, parameters]) => parameters.some((name) => texts.has(name)));
  // A single part is said by the list of all orders.
  if (given.length < 2) return TE.right(SOMETHING_FOUND);
  return pipe(
    excludedBy(texts, given, totalOf),
    TE.bindTo('excluding'),
    TE.bind('fitting', ({ excluding }) =>
      excluding.length > 0 ? TE.right([]) : fittingNothing(texts, given, totalOf),
    ),
    TE.map((found) => ({ ...found, isBackwards: false })),
  );
};

const reason = ({ excluding, fitting, isBackwards }: NothingFound): Html => {
  if (isBackwards) return html`<p>The first day is later than the last one.</p>`;
  if (excluding.length > 0) {
    return html`<p>No order fits the whole filter. With one part of it left out there are:</p>
      <ul>
        ${excluding.map(
          ({ name, href, orders }) =>
            html`<li>Without ${name}: <a href="${href}">${orders} ${orders === 1 ? 'order' : 'orders'}</a></li>`,
        )}
      </ul>`;
  }
  return fitting.length === 0
    ? html`<p>No order fits these filters.</p>`
    : html`<p>No order fits these filters: even alone, ${fitting.join(' and ')} would find none.</p>`;
};

/** What stands in the place of a list that is empty. */
export const nothingFits = (nothing: NothingFound): Html => html`
  <section class="nothing">
    <h2>No orders here</h2>
    ${reason(nothing)}
    <p><a href="/console/orders">Show all orders</a>, or search with <kbd>/</kbd>.</p>
  </section>
`;

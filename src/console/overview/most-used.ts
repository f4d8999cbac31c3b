import type { ReportSums } from '../../../projections/report/index.ts';
import { html, type Html } from '../html.ts';

/** A provider may send any text as a currency: so many have lines in a table of the overview at the most. */
const MOST_CURRENCIES = 40;

type Sums = Pick<ReportSums, 'currency' | 'orders'>;

/** The currencies with the most orders, in the order of the table, and how many others there are. */
export const mostUsed = <A extends Sums>(
  totals: readonly A[],
): { readonly shown: readonly A[]; readonly left: number } => {
  if (totals.length <= MOST_CURRENCIES) return { shown: totals, left: 0 };
  const most = new Set(totals.toSorted((a, b) => b.orders - a.orders).slice(0, MOST_CURRENCIES));
  return { shown: totals.filter((total) => most.has(total)), left: totals.length - most.size };
};

/** Where the currencies are that a table leaves out. */
export const leftOut = (left: number, report: string): Html | null =>
  left === 0
    ? null
    : html`<p class="fine">
        And ${left} more ${left === 1 ? 'currency' : 'currencies'} with fewer orders:
        <a href="${report}">the report</a> has all.
      </p>`;

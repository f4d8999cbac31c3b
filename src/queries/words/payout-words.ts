import type { Order } from '../../../projections/order-state/index.ts';

/** What became of a payout attempt. */
export const PAYOUT_WORDS: Readonly<Record<Order['payouts'][number]['state'], string>> = {
  paid: 'Paid',
  failed: 'Failed',
  deemed: 'Unconfirmed',
};

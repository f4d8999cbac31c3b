import type { BusinessDay, Calendar } from '../../src/domain/business-day.ts';
import { normalised, type BaseUnits, type Decimal } from '../../src/domain/decimal.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { Phase } from '../../src/domain/status.ts';
import type { OrderState } from '../order-state/index.ts';
import type { Payout } from '../order-state/order.ts';

/** What the match needs to know of an order. */
export type MatchOrder = {
  readonly orderId: OrderId;
  readonly flow: Flow;
  readonly status: string;
  readonly phase: Phase;
  readonly currency: string;
  readonly fiat: Decimal;
  readonly tds: Decimal | null;
  readonly commission: Decimal | null;
  readonly transactionId: string | null;
  readonly payouts: readonly Pick<Payout, 'utr' | 'state'>[];
  readonly chainId: Decimal;
  readonly txnHash: string | null;
  readonly tokenAddress: string;
  readonly walletAddress: string;
  readonly tokens: Decimal | null;
  readonly baseUnits: BaseUnits | null;
  readonly createdDay: BusinessDay;
  readonly settledDay: BusinessDay | null;
};

export const matchOrderOf = (state: OrderState, calendar: Calendar): MatchOrder => ({
  orderId: state.orderId,
  flow: state.flow,
  status: state.status,
  phase: state.phase,
  currency: state.fiat.currency,
  fiat: state.fiat.amount,
  tds: state.tds,
  commission: state.commission,
  transactionId: state.transactionId,
  payouts: state.payouts,
  chainId: normalised(state.token.chainId),
  txnHash: state.flow === 'onramp' ? state.txnHash : null,
  tokenAddress: state.token.address,
  walletAddress: state.walletAddress,
  tokens: state.flow === 'onramp' ? state.token.amount : null,
  baseUnits: state.token.baseUnits,
  createdDay: calendar.dayOf(state.createdAt),
  settledDay: state.settledAt === null ? null : calendar.dayOf(state.settledAt),
});

/**
 * What must be found for an order (docs/spec/match.md, What is due): its payout at the bank, a payout that the bank has
 * not confirmed, or what an on-ramp order moved; null where nothing must.
 */
export type Due = 'payout' | 'deemed' | 'onramp';

const isPaid = ({ payouts }: MatchOrder): boolean => payouts.some(({ state }) => state === 'paid');

export const dueOf = (order: MatchOrder): Due | null => {
  if (order.flow === 'onramp') return order.settledDay === null ? null : 'onramp';
  if (isPaid(order)) return 'payout';
  return order.phase === 'deemed' ? 'deemed' : null;
};

/** Whether an order is in an item where there is neither evidence nor a decision: by itself, or with others of its utr or hash. */
export const makesItem = (order: MatchOrder): boolean => dueOf(order) !== null || isPaid(order);

/** Whether money of the order may have moved by what the provider says, so that finding it is no conflict. */
export const mayHaveMoved = (order: MatchOrder): boolean => {
  if (dueOf(order) !== null) return true;
  if (order.flow === 'offramp' || order.phase === 'expired' || order.phase === 'refunded') return false;
  return order.status !== 'fiatPending';
};

/**
 * Whether the fiat of an on-ramp order has gone back to who paid it: at the bank it came in and went out again, whether tokens
 * were delivered in between or not (docs/spec/match.md, What is due).
 */
export const isPaidBack = ({ flow, phase }: MatchOrder): boolean => flow === 'onramp' && phase === 'refunded';

/** Whether a payout of an order still stands: not failed, nor given up with its order. */
export const stands = (order: MatchOrder, { state }: Pick<Payout, 'utr' | 'state'>): boolean =>
  state === 'paid' || (state === 'deemed' && order.phase === 'deemed');

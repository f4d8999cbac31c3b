import type { BusinessDay } from '../../src/domain/business-day.ts';
import { daysBetween } from './ageing.ts';
import { breakOf, type Break } from './break.ts';
import type { Awaited, MatchState } from './match-item.ts';

/** What was imported so far, and the day: what decides whether an order that nothing was found for is missed. */
export type Today = {
  readonly today: BusinessDay;
  /** How long a settled order is expected before it is missed. */
  readonly dueDays: number;
  /** Days of statements, by currency. */
  readonly covered: readonly { readonly currency: string; readonly from: BusinessDay; readonly to: BusinessDay }[];
  /** Chains that transfers were observed on. */
  readonly chains: ReadonlySet<string>;
};

/** What an order that nothing was found for is on a day. */
export type AwaitedState = {
  readonly state: Extract<MatchState, 'expected' | 'unmatched-order'>;
  readonly breaks: readonly Break[];
};

const EXPECTED: AwaitedState = { state: 'expected', breaks: [] };

/** Null: it is held against nothing, since neither bank nor chain of an on-ramp order was imported. */
export const awaitedState = (
  { due, currency, chainId, amount }: Awaited,
  day: BusinessDay,
  { today, dueDays, covered, chains }: Today,
): AwaitedState | null => {
  const ofBank = covered.filter((statement) => statement.currency === currency);
  const isBank = due !== 'onramp' || ofBank.length > 0;
  const isChain = due === 'onramp' && chains.has(chainId);
  if (!isBank && !isChain) return null;
  const expected = { ...EXPECTED, breaks: [breakOf('timing', 'settledAt', { order: day })] };
  if (due === 'deemed') return expected;
  const isLate = daysBetween(day, today) >= dueDays;
  const isCovered = ofBank.some(({ from, to }) => from <= day && day <= to);
  const breaks = [
    ...(isBank && (isLate || isCovered) ? [breakOf('missing-at-bank', 'amount', { order: amount })] : []),
    ...(isChain && isLate ? [breakOf('missing-on-chain', 'txnHash', { order: amount })] : []),
  ];
  return breaks.length === 0 ? expected : { state: 'unmatched-order', breaks };
};

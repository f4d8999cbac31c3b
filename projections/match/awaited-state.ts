import type { BusinessDay } from '../../src/domain/business-day.ts';
import { dayAfter, daysBetween } from './ageing.ts';
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

type AwaitedKind = Pick<Awaited, 'due' | 'currency' | 'chainId'>;

/** Whether an order is held against the bank, and against its chain, whatever its day is. */
const heldAgainst = (
  { due, currency, chainId }: AwaitedKind,
  { covered, chains }: Today,
): { readonly bank: boolean; readonly chain: boolean } => ({
  bank: due !== 'onramp' || covered.some((statement) => statement.currency === currency),
  chain: due === 'onramp' && chains.has(chainId),
});

/**
 * The days among which orders of a kind may be in one of some states, so that nobody looks at all others: `since` is the
 * first, null where any may be. Null: no day is.
 */
export const daysInStates = (
  kind: AwaitedKind,
  states: readonly AwaitedState['state'][],
  today: Today,
): { readonly since: BusinessDay | null } | null => {
  const { bank, chain } = heldAgainst(kind, today);
  if (states.length === 0 || (!bank && !chain)) return null;
  if (kind.due === 'deemed') return states.includes('expected') ? { since: null } : null;
  // Whatever is late is missed.
  return states.includes('unmatched-order') ? { since: null } : { since: dayAfter(today.today, 1 - today.dueDays) };
};

const EXPECTED: AwaitedState = { state: 'expected', breaks: [] };

/** Null: it is held against nothing, since neither bank nor chain of an on-ramp order was imported. */
export const awaitedState = (awaited: Awaited, day: BusinessDay, imported: Today): AwaitedState | null => {
  const { due, currency, amount } = awaited;
  const { today, dueDays, covered } = imported;
  const { bank: isBank, chain: isChain } = heldAgainst(awaited, imported);
  if (!isBank && !isChain) return null;
  const expected = { ...EXPECTED, breaks: [breakOf('timing', 'settledAt', { order: day })] };
  if (due === 'deemed') return expected;
  const isLate = daysBetween(day, today) >= dueDays;
  const isCovered = covered.some((its) => its.currency === currency && its.from <= day && day <= its.to);
  const breaks = [
    ...(isBank && (isLate || isCovered) ? [breakOf('missing-at-bank', 'amount', { order: amount })] : []),
    ...(isChain && isLate ? [breakOf('missing-on-chain', 'txnHash', { order: amount })] : []),
  ];
  return breaks.length === 0 ? expected : { state: 'unmatched-order', breaks };
};

import type { BusinessDay } from '../../src/domain/business-day.ts';
import { dayAfter, daysBetween } from './ageing.ts';
import { breakOf, type Break } from './break.ts';
import type { Awaited, AwaitedPart } from './awaited-orders.ts';
import type { MatchState } from './match-item.ts';

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

type AwaitedKind = Pick<AwaitedPart, 'due' | 'currency' | 'chainId'>;

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

/** What is missed of orders of one kind; nothing of what is not due yet. Null: they are held against nothing. */
const missedOf = (part: AwaitedPart, day: BusinessDay, imported: Today): readonly Break[] | null => {
  const { due, currency, amount } = part;
  const { today, dueDays, covered } = imported;
  const { bank: isBank, chain: isChain } = heldAgainst(part, imported);
  if (!isBank && !isChain) return null;
  if (due === 'deemed') return [];
  const isLate = daysBetween(day, today) >= dueDays;
  const isCovered = covered.some((its) => its.currency === currency && its.from <= day && day <= its.to);
  return [
    ...(isBank && (isLate || isCovered) ? [breakOf('missing-at-bank', 'amount', { order: amount })] : []),
    ...(isChain && isLate ? [breakOf('missing-on-chain', 'txnHash', { order: amount })] : []),
  ];
};

/**
 * What an item is that waits. It is missed where orders of any kind in it are, for what is missed of those.
 * Null: it is held against nothing, since neither bank nor chain of on-ramp orders alone was imported.
 */
export const awaitedState = (awaited: Awaited, day: BusinessDay, imported: Today): AwaitedState | null => {
  const held = [awaited, ...(awaited.also ?? [])].flatMap((part) => {
    const missed = missedOf(part, day, imported);
    return missed === null ? [] : [missed];
  });
  if (held.length === 0) return null;
  const missed = held.flat();
  if (missed.length > 0) return { state: 'unmatched-order', breaks: missed };
  return { state: 'expected', breaks: [breakOf('timing', 'settledAt', { order: day })] };
};

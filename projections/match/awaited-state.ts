import type { BusinessDay } from '../../src/domain/business-day.ts';
import { exactOf, plainText, plus, ZERO } from '../../src/domain/exact.ts';
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

type Missed = { readonly code: 'missing-at-bank' | 'missing-on-chain'; readonly of: AwaitedPart };

/** What is missed of orders of one kind and day; nothing of what is not due yet. Null: they are held against nothing. */
const missedOf = (part: AwaitedPart, day: BusinessDay, imported: Today): readonly Missed[] | null => {
  const { due, currency } = part;
  const { today, dueDays, covered } = imported;
  const { bank: isBank, chain: isChain } = heldAgainst(part, imported);
  if (!isBank && !isChain) return null;
  if (due === 'deemed') return [];
  const isLate = daysBetween(day, today) >= dueDays;
  const isCovered = covered.some((its) => its.currency === currency && its.from <= day && day <= its.to);
  return [
    ...(isBank && (isLate || isCovered) ? [{ code: 'missing-at-bank', of: part } as const] : []),
    ...(isChain && isLate ? [{ code: 'missing-on-chain', of: part } as const] : []),
  ];
};

/** One break for each kind, with the sum over all its days on which it is missed. */
const breaksOf = (missed: readonly Missed[]): readonly Break[] =>
  [
    ...Map.groupBy(missed, ({ code, of: { due, currency, chainId } }) =>
      JSON.stringify([code, due, currency, due === 'onramp' ? chainId : null]),
    ).values(),
  ].flatMap((its) => {
    const [first] = its;
    if (first === undefined) return [];
    const order = plainText(its.reduce((sum, { of }) => plus(sum, exactOf(of.amount)), ZERO));
    return [breakOf(first.code, first.code === 'missing-at-bank' ? 'amount' : 'txnHash', { order })];
  });

/**
 * What an item is that waits. It is missed where orders of any kind in it are, for what is missed of those, each by its own day.
 * Null: it is held against nothing, since neither bank nor chain of on-ramp orders alone was imported.
 *
 * @param itemDay the day of what it waits for, where that says no other
 */
export const awaitedState = (awaited: Awaited, itemDay: BusinessDay, imported: Today): AwaitedState | null => {
  const held = [awaited, ...(awaited.also ?? [])].flatMap(({ day = itemDay, ...part }) => {
    const missed = missedOf(part, day, imported);
    return missed === null ? [] : [{ day, missed }];
  });
  if (held.length === 0) return null;
  const missed = held.flatMap((its) => its.missed);
  if (missed.length > 0) return { state: 'unmatched-order', breaks: breaksOf(missed) };
  const first = held.map(({ day }) => day).reduce((earliest, day) => (day < earliest ? day : earliest));
  return { state: 'expected', breaks: [breakOf('timing', 'settledAt', { order: first })] };
};

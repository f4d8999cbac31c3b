import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import {
  exactOf,
  exactOrd,
  isZero,
  minus,
  negated,
  plainText,
  plus,
  ZERO,
  type Exact,
} from '../../src/domain/exact.ts';
import { breakOf, type Break } from './break.ts';
import type { Component } from './component.ts';
import { daysBetween } from './ageing.ts';
import type { MatchLine } from './match-index.ts';
import { bankAmount, bankDirection } from './match-keys.ts';
import { isPaidBack, mayHaveMoved, type MatchOrder } from './match-order.ts';
import { namesUtr } from './rule.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';

const sumOf = <A>(all: readonly A[], amountOf: (it: A) => Exact): Exact =>
  all.reduce((sum, it) => plus(sum, amountOf(it)), ZERO);

const absolute = (amount: Exact): Exact => (exactOrd.compare(amount, ZERO) < 0 ? negated(amount) : amount);

const toleranceOf = ({ tolerances }: MatchSettings, currency: string): Exact => {
  const tolerance = tolerances[currency] ?? tolerances['*'];
  return tolerance === undefined ? ZERO : exactOf(tolerance);
};

const isWithin = (amount: Exact, tolerance: Exact): boolean => exactOrd.compare(absolute(amount), tolerance) <= 0;

/** What lines moved in one direction, what they moved back taken off. */
const netOf = (lines: readonly MatchLine[], direction: 'in' | 'out'): Exact =>
  sumOf(lines, (line) => {
    const amount = exactOf(line.amount);
    return line.direction === direction ? amount : negated(amount);
  });

/** Which part of an order's charges a difference comes to exactly. */
const variances = (
  difference: Exact,
  orders: readonly MatchOrder[],
  sides: Pick<Break, 'order' | 'bank'>,
): readonly Break[] => {
  const partOf = (name: 'tds' | 'commission'): Exact =>
    sumOf(orders, (order) => {
      const amount: Decimal | null = order[name];
      return amount === null ? ZERO : exactOf(amount);
    });
  const [tds, commission] = [partOf('tds'), partOf('commission')];
  const size = absolute(difference);
  const isSize = (amount: Exact): boolean => !isZero(amount) && exactOrd.equals(amount, size);
  const both = plus(tds, commission);
  const isBoth = !isZero(tds) && !isZero(commission) && isSize(both);
  return [
    ...(isSize(commission) || isBoth
      ? [breakOf('fee-variance', 'commission', { ...sides, order: plainText(commission) })]
      : []),
    ...(isSize(tds) || isBoth ? [breakOf('tds-variance', 'tds', { ...sides, order: plainText(tds) })] : []),
  ];
};

/** What orders move in one direction. Somebody may have accepted orders of both flows together: those of the other one are taken off. */
const expectedOf = (orders: readonly MatchOrder[], direction: 'in' | 'out', settings: MatchSettings): Exact =>
  sumOf(orders, (order) => {
    const amount = bankAmount(order, settings);
    return bankDirection(order) === direction ? amount : negated(amount);
  });

const amountBreaks = (
  orders: readonly MatchOrder[],
  lines: readonly MatchLine[],
  direction: 'in' | 'out',
  settings: MatchSettings,
): readonly Break[] => {
  const expected = expectedOf(orders, direction, settings);
  const net = netOf(lines, direction);
  const difference = minus(net, expected);
  const currency = orders[0]?.currency ?? '';
  if (isWithin(difference, toleranceOf(settings, currency))) return [];
  const sides = { order: plainText(expected), bank: plainText(net) };
  const ways = new Set(orders.map(bankDirection));
  const wasTakenBack = lines.some((line) => !ways.has(line.direction));
  const reversed = wasTakenBack ? [breakOf('reversed', 'amount', sides)] : [];
  // All of it came back: nothing is over or under.
  if (wasTakenBack && isZero(net)) return reversed;
  const isOver = exactOrd.compare(difference, ZERO) > 0;
  return [
    ...reversed,
    breakOf(isOver ? 'amount-over' : 'amount-under', 'amount', sides),
    ...variances(difference, orders, { ...sides }),
  ];
};

/** Lines that were booked far from the settlement of each order that moves money in their direction. */
const dateBreaks = (
  orders: readonly MatchOrder[],
  lines: readonly MatchLine[],
  { dateToleranceDays }: MatchSettings,
): readonly Break[] => {
  const byWay = Map.groupBy(orders, bankDirection);
  const daysOf = (way: 'in' | 'out'): readonly BusinessDay[] => [
    ...new Set(byWay.get(way)?.flatMap(({ settledDay }) => (settledDay === null ? [] : [settledDay]))),
  ];
  const days = { in: daysOf('in'), out: daysOf('out') };
  return lines.flatMap(({ bookedOn, direction }) => {
    const [own] = days[direction];
    const isNear = days[direction].some((day) => Math.abs(daysBetween(day, bookedOn)) <= dateToleranceDays);
    return own === undefined || isNear
      ? []
      : [breakOf('date-outside-tolerance', 'bookedOn', { order: own, bank: bookedOn })];
  });
};

/** Debits that name a payout which the provider says has failed, and no other one: they must have come back. */
const failedDebits = (
  orders: readonly MatchOrder[],
  lines: readonly MatchLine[],
  { settings, currency }: { readonly settings: MatchSettings; readonly currency: string },
): readonly Break[] => {
  const payouts = orders.flatMap((order) => order.payouts);
  const failed = new Set(payouts.flatMap(({ utr, state }) => (utr !== null && state === 'failed' ? [utr] : [])));
  const others = payouts.flatMap(({ utr, state }) => (utr !== null && state !== 'failed' ? [utr] : []));
  return [...failed].toSorted().flatMap((utr) => {
    const its = lines.filter((line) => namesUtr(line, utr) && !others.some((other) => namesUtr(line, other)));
    const net = netOf(its, 'out');
    if (isWithin(net, toleranceOf(settings, currency)) || exactOrd.compare(net, ZERO) < 0) return [];
    return [breakOf('status-conflict', 'payout', { order: 'failed', bank: plainText(net) })];
  });
};

/** What differs between the orders of an item and its bank lines, of which there is at least one each. */
export const bankBreaks = (
  { orders, lines, duplicates }: Pick<Component, 'orders' | 'lines' | 'duplicates'>,
  settings: MatchSettings,
): readonly Break[] => {
  const [first] = orders;
  if (first === undefined) return [];
  const foreign = [...new Set(lines.map(({ currency }) => currency))].filter((currency) =>
    orders.some((order) => order.currency !== currency),
  );
  if (foreign.length > 0) {
    return [breakOf('currency-mismatch', 'currency', { order: first.currency, bank: foreign.join(', ') })];
  }
  const moved = orders.filter((order) => mayHaveMoved(order) && !isPaidBack(order));
  const direction = bankDirection(moved[0] ?? first);
  if (moved.length === 0) {
    const net = netOf(lines, direction);
    // What was paid and came back agrees with an order that failed, and with one that was refunded.
    return isWithin(net, toleranceOf(settings, first.currency))
      ? []
      : [breakOf('status-conflict', 'status', { order: first.status, bank: plainText(net) })];
  }
  // One payment cannot be held against two orders that both claim it.
  const amounts = duplicates.length > 0 ? [] : amountBreaks(moved, lines, direction, settings);
  const conflicts = failedDebits(moved, lines, { settings, currency: first.currency });
  return [...amounts, ...conflicts, ...dateBreaks(orders.filter(mayHaveMoved), lines, settings)];
};

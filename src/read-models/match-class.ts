import * as t from 'io-ts';
import { awaitedState, type Today } from '../../projections/match/awaited-state.ts';
import type { Awaited, AwaitedPart } from '../../projections/match/awaited-orders.ts';
import type { MatchItem, MatchState, OrderAlone } from '../../projections/match/match-item.ts';
import type { Due } from '../../projections/match/match-order.ts';
import { BusinessDayText, type BusinessDay } from '../domain/business-day.ts';
import { branded } from '../domain/brand.ts';
import { DecimalText, type Decimal } from '../domain/decimal.ts';
import { FLOWS, type Flow } from '../domain/flow.ts';
import { oneOf } from '../domain/guarded.ts';
import { readArray } from './stored-array.ts';
import { STORED_STATES } from './stored-match.ts';

const orNull = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

type AwaitedKind = Pick<AwaitedPart, 'due' | 'day' | 'currency' | 'chainId'>;

/** What summaries of the match group and filter by, and what decides of awaited orders. */
export type MatchClass = {
  readonly flow: Flow | null;
  readonly currency: string | null;
  readonly accounts: readonly string[];
  readonly state: MatchItem['state'];
  /** Of an awaited order; null for all other items. */
  readonly due: Due | null;
  /** Of what is awaited first, where it is not that of its item. */
  readonly day?: BusinessDay;
  readonly chainId: Decimal | null;
  /**
   * The first currency of its items, where it is another one: they are in a class for each currency, and in one without this.
   * Awaited orders are held against the bank in it.
   */
  readonly firstCurrency?: string;
  /** What else its items wait for, see `Awaited`; left out where that is nothing. */
  readonly also?: readonly AwaitedKind[];
};

/** No amount decides of what becomes of an order. */
const NOTHING = branded<Decimal>('0');

const DUES = ['payout', 'deemed', 'onramp'] as const;

const Parts = t.tuple([
  orNull(oneOf('flow', FLOWS)),
  orNull(t.string),
  t.readonlyArray(t.string),
  oneOf('state', STORED_STATES),
]);

const Rest = t.tuple([orNull(oneOf('due', DUES)), orNull(DecimalText)]);

const KindParts = t.tuple([oneOf('due', DUES), t.string, DecimalText, orNull(BusinessDayText)]);

const Behind = t.tuple([orNull(t.string), t.readonlyArray(KindParts), orNull(BusinessDayText)]);

/** What stands behind the chain: the first currency, what else is awaited, and the day of the first; each only where it is needed. */
const textsBehind = (
  first: string | null,
  also: readonly AwaitedKind[],
  day: BusinessDay | null,
): readonly unknown[] => {
  if (also.length === 0 && day === null) return first === null ? [] : [first];
  const others = also.map(({ due, currency, chainId, day: its = null }) => [due, currency, chainId, its]);
  return day === null ? [first, others] : [first, others, day];
};

/**
 * One text for equal classes, and no other has it.
 *
 * @param currency one of the item's; each makes a class of its own
 */
export const classKey = (item: MatchItem | OrderAlone, currency = item.currency): string => {
  const { flow, accounts, state, awaited } = item;
  const first = item.currency === currency ? null : item.currency;
  const also = awaited !== null && 'also' in awaited ? (awaited.also ?? []) : [];
  const day = awaited !== null && 'day' in awaited ? (awaited.day ?? null) : null;
  const behind = textsBehind(first, also, day);
  return JSON.stringify([flow, currency, accounts, state, awaited?.due ?? null, awaited?.chainId ?? null, ...behind]);
};

const dayIn = (day: BusinessDay | null): Pick<AwaitedKind, 'day'> => (day === null ? {} : { day });

/** Reads a key; null for anything else. */
export const readClass = (key: string): MatchClass | null => {
  const all = readArray(key) ?? [];
  const [parts, rest] = [all.slice(0, 4), all.slice(4, 6)];
  const behind = [all[6] ?? null, all[7] ?? [], all[8] ?? null];
  if (!Parts.is(parts) || !Rest.is(rest) || !Behind.is(behind) || all.length > 9) return null;
  const [flow, currency, accounts, state] = parts;
  const [due, chainId] = rest;
  const [firstCurrency, others, firstDay] = behind;
  const also = others.map(([its, of, on, day]): AwaitedKind => ({
    due: its,
    ...dayIn(day),
    currency: of,
    chainId: on,
  }));
  return {
    flow,
    currency,
    accounts,
    state,
    due,
    ...dayIn(firstDay),
    chainId,
    ...(firstCurrency === null ? {} : { firstCurrency }),
    ...(also.length === 0 ? {} : { also }),
  };
};

/** What items of a class wait for, as far as the day and what was imported decide what becomes of it; null for other classes. */
export const awaitedOfClass = ({
  due,
  day,
  currency,
  chainId,
  firstCurrency,
  also = [],
}: MatchClass): Awaited | null => {
  if (due === null || currency === null || chainId === null) return null;
  const ofFirst = { due, ...(day === undefined ? {} : { day }), currency: firstCurrency ?? currency };
  const first = { ...ofFirst, chainId, amount: NOTHING };
  return also.length === 0 ? first : { ...first, also: also.map((kind) => ({ ...kind, amount: NOTHING })) };
};

/** The state of the items of a class on a day; null where they are held against nothing yet. */
export const stateOfClass = (its: MatchClass, day: BusinessDay, today: Today): MatchState | null => {
  if (its.state !== 'awaited') return its.state;
  const awaited = awaitedOfClass(its);
  return awaited === null ? null : (awaitedState(awaited, day, today)?.state ?? null);
};

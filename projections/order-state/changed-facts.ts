import { lowerAscii } from '../../src/domain/letter-case.ts';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { normalised } from '../../src/domain/decimal.ts';
import { isJsonNumber, member, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import type { OrderFacts } from '../../src/domain/order-facts.ts';
import { anomaly } from './anomaly.ts';
import { eventsByKey } from './events-by-key.ts';
import type { Anomaly } from './order.ts';
import type { RankedEvents } from './ranked-events.ts';

/** A fact that should not change. */
type Fact = {
  readonly field: string;
  /** Its value as an order shows it; empty where an event has none. An empty value is never a change. */
  readonly shown: (facts: OrderFacts) => string;
  /** One text for equal values, where `shown` may spell them differently. */
  readonly value: (facts: OrderFacts) => string;
};

const text = (field: string, shown: Fact['shown']): Fact => ({ field, shown, value: shown });

const withoutCase = (field: string, shown: Fact['shown']): Fact => ({
  field,
  shown,
  value: (facts) => lowerAscii(shown(facts)),
});

/** Those of every order but the members of the customer's phone (docs/spec/domain.md, Anomalies). */
const FACTS: readonly Fact[] = [
  { field: 'fiat', shown: ({ fiat }) => fiat, value: ({ fiat }) => normalised(fiat) },
  text('currency', ({ currency }) => currency),
  text('token.symbol', ({ tokenSymbol }) => tokenSymbol),
  withoutCase('token.address', ({ tokenAddress }) => tokenAddress),
  { field: 'token.chainId', shown: ({ chainId }) => chainId, value: ({ chainId }) => normalised(chainId) },
  withoutCase('walletAddress', ({ walletAddress }) => walletAddress),
  text('createdAt', ({ createdAt }) => createdAt),
  text('customer.id', ({ customer }) => customer.id),
  text('customer.email', ({ customer }) => customer.email ?? ''),
  text('customer.name', ({ customer }) => customer.name ?? ''),
];

const isNothing = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !isJsonNumber(value) && Object.keys(value).length === 0);

const phoneFact = (name: string): Fact => {
  const field = `customer.phone.${name}`;
  const read = ({ customer, unreadable }: OrderFacts): JsonValue =>
    // A member of another type than the interface says counts as null; the anomaly `field-unreadable` names it.
    customer.phone === null || unreadable.includes(field) ? null : (member(customer.phone, name) ?? null);
  const shown = (facts: OrderFacts): string => {
    const value = read(facts);
    if (isNothing(value)) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return { field, shown, value: (facts) => canonicalJson(read(facts)) };
};

const phoneMembers = ({ facts }: FoldedEvent): readonly string[] => Object.keys(facts.customer.phone ?? {});

const isSpelledAlike = (events: readonly FoldedEvent[], { shown }: Fact): boolean => {
  let first = '';
  for (const { facts } of events) {
    const spelling = shown(facts);
    if (spelling === '' || spelling === first) continue;
    if (first !== '') return false;
    first = spelling;
  }
  return true;
};

const NONE: readonly Anomaly<'fact-changed'>[] = [];

/** The change of one fact; values are spelled as the highest event that has them spells them. */
const changeOf = (events: readonly FoldedEvent[], fact: Fact): readonly Anomaly<'fact-changed'>[] => {
  // True for nearly every order, and much faster than the exact comparison.
  if (isSpelledAlike(events, fact)) return NONE;
  const carriers = events.filter(({ facts }) => fact.shown(facts) !== '');
  const values = new Map<string, string>();
  for (const { facts } of carriers) {
    const value = fact.value(facts);
    if (!values.has(value)) values.set(value, fact.shown(facts));
  }
  if (values.size <= 1) return [];
  return [
    anomaly('fact-changed', carriers, {
      field: fact.field,
      values: values.values(),
    }),
  ];
};

/** Whether two phones have the same members with the same plain values; a number that kept its text is none. */
const isSamePhone = (a: JsonObject | null, b: JsonObject | null): boolean => {
  if (a === null || b === null) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
};

/** Whether an event spells all these facts as another one does. One comparison after the other, without a look at `FACTS`. */
const isSpelledAs = (a: OrderFacts, b: OrderFacts): boolean =>
  a.fiat === b.fiat &&
  a.currency === b.currency &&
  a.tokenSymbol === b.tokenSymbol &&
  a.tokenAddress === b.tokenAddress &&
  a.chainId === b.chainId &&
  a.walletAddress === b.walletAddress &&
  a.createdAt === b.createdAt &&
  a.customer.id === b.customer.id &&
  a.customer.email === b.customer.email &&
  a.customer.name === b.customer.name &&
  a.unreadable.length === 0 &&
  b.unreadable.length === 0 &&
  isSamePhone(a.customer.phone, b.customer.phone);

/** True for nearly every order, and much faster than looking at fact after fact. */
const areSpelledAlike = ([first, ...others]: RankedEvents): boolean =>
  others.every(({ facts }) => isSpelledAs(facts, first.facts));

/**
 * Facts that should not change and did, compared by value over all order events, one anomaly for each field
 * (docs/spec/domain.md, Anomalies).
 */
export const changedFacts = (events: RankedEvents): readonly Anomaly<'fact-changed'>[] =>
  areSpelledAlike(events)
    ? NONE
    : [
        ...FACTS.flatMap((fact) => changeOf(events, fact)),
        ...[...eventsByKey(events, phoneMembers)].flatMap(([name, having]) => changeOf(having, phoneFact(name))),
      ];

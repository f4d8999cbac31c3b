import type { BusinessDay, Calendar } from '../../src/domain/business-day.ts';
import { normalised, type Decimal } from '../../src/domain/decimal.ts';
import { exactOf, plainText, plus, ZERO } from '../../src/domain/exact.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { awaitedOf, type Awaited, type AwaitedPart } from './awaited-orders.ts';
import { bankBreaks } from './bank-breaks.ts';
import { breakOf, type Break } from './break.ts';
import { chainBreaks } from './chain-breaks.ts';
import type { Component } from './component.ts';
import { factsOf, orderFact, transferFact } from './decided-facts.ts';
import { isLater, type MatchDecision } from './decision.ts';
import { itemIdOf, type ItemId } from './item-id.ts';
import type { MatchLine } from './match-index.ts';
import { dueOf, type MatchOrder } from './match-order.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { orderNode, type NodeName } from './node.ts';
import { MATCH_RULES, placedReferences, type MatchRule } from './rule.ts';

export const MATCH_STATES = [
  'matched',
  'expected',
  'unmatched-order',
  'unmatched-line',
  'unmatched-transfer',
  'ambiguous',
  'break',
  'explained',
] as const;

export type MatchState = (typeof MATCH_STATES)[number];

/** States that say that somebody has to look. */
export const OPEN_STATES: ReadonlySet<MatchState> = new Set<MatchState>([
  'unmatched-order',
  'unmatched-line',
  'unmatched-transfer',
  'ambiguous',
  'break',
]);

/** Bank lines and payouts that nothing was found for; what an on-ramp order lacks is no payout. */
export const isUnmatched = (state: MatchState, flow: Flow | null): boolean =>
  state === 'unmatched-line' || state === 'ambiguous' || (state === 'unmatched-order' && flow === 'offramp');

/** What the orders of an item in one currency come to, or, where it has no order, its lines. */
type CurrencyShare = { readonly currency: string; readonly fiat: Decimal };

/** An item of the match, as far as it does not depend on the day. */
export type MatchItem = {
  readonly itemId: ItemId;
  readonly members: readonly NodeName[];
  /** Of the order that it is told by (see `inLeadOrder`); null where it has none. */
  readonly flow: Flow | null;
  /** Of its orders, else of its lines, and where they have several that of the first; null for transfers alone. */
  readonly currency: string | null;
  /** The accounts of its lines, each once, in code-unit order. */
  readonly accounts: readonly string[];
  /** What its age counts from: the day of the settlement; without an order, or one that never settled, of the booking. */
  readonly day: BusinessDay;
  /** The sum over its orders in this currency; without any, over its lines. */
  readonly fiat: Decimal;
  /** The same in each other currency that they have, by its code; left out where they have none. */
  readonly others?: readonly CurrencyShare[];
  readonly state: Exclude<MatchState, 'expected' | 'unmatched-order'> | 'awaited';
  readonly awaited: Awaited | null;
  /** The weakest rule that joined its lines; without lines, what joined its transfers; null where no rule joined anything. */
  readonly rule: MatchRule | null;
  readonly breaks: readonly Break[];
  readonly decision: MatchDecision | null;
};

const ruleOf = (rules: ReadonlySet<MatchRule>): MatchRule | null => {
  const ofLines = MATCH_RULES.filter((rule) => rule !== 'txn-hash' && rules.has(rule));
  return ofLines.at(-1) ?? (rules.has('txn-hash') ? 'txn-hash' : null);
};

const lineBreaks = (lines: readonly MatchLine[]): readonly Break[] =>
  lines.flatMap((line) => {
    const amount = plainText(exactOf(line.amount));
    return [
      breakOf('missing-at-provider', 'order', { bank: amount }),
      ...(placedReferences(line).length === 0
        ? []
        : [breakOf('unknown-reference', 'reference', { bank: line.references.join(' ') })]),
    ];
  });

const isSame = (a: readonly NodeName[], b: readonly NodeName[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/** Whether a decision is of exactly what an item is, and of what that says now. */
const isOfThis = ({ group, facts }: MatchDecision, { members, orders, transfers }: Component): boolean =>
  isSame(group, members) &&
  (facts === null || facts === factsOf([...orders.map(orderFact), ...transfers.map(transferFact)]));

/** Whether a decision still is about what an item has become. An explanation is of exactly what was explained. */
const isInForce = (decision: MatchDecision, component: Component, members: ReadonlySet<NodeName>): boolean => {
  if (decision.decision === 'explain') return isOfThis(decision, component);
  const { group, apart } = decision;
  if (decision.decision === 'accept') return group.every((name) => members.has(name));
  return [...group, ...apart].some((name) => members.has(name));
};

const shownDecision = (component: Component, members = new Set(component.members)): MatchDecision | null =>
  component.decisions
    .filter((decision) => isInForce(decision, component, members))
    .reduce<MatchDecision | null>((latest, it) => (latest === null || isLater(it, latest) ? it : latest), null);

const dayOf = ({ orders, lines, transfers }: Component, calendar: Calendar): BusinessDay => {
  const settled = orders.flatMap(({ settledDay }) => (settledDay === null ? [] : [settledDay]));
  const [days = []] = [
    settled,
    lines.map(({ bookedOn }) => bookedOn),
    orders.map(({ createdDay }) => createdDay),
    transfers.map(({ observedAt }) => calendar.dayOf(observedAt)),
  ].filter((some) => some.length > 0);
  return days.reduce((first, day) => (day < first ? day : first));
};

type Found = Pick<MatchItem, 'state' | 'breaks'>;

/** What becomes of a component, before anybody has decided. */
const foundOf = (component: Component, awaited: Awaited | null, settings: MatchSettings): Found => {
  const { orders, lines, transfers, isAmbiguous, duplicates } = component;
  if (orders.length === 0) {
    if (lines.length > 0) return { state: 'unmatched-line', breaks: lineBreaks(lines) };
    const chain = transfers[0]?.txnHash ?? null;
    return { state: 'unmatched-transfer', breaks: [breakOf('missing-at-provider', 'order', { chain })] };
  }
  const ambiguous = isAmbiguous
    ? [breakOf('ambiguous', 'amount', { order: String(orders.length), bank: String(lines.length) })]
    : [];
  const breaks = [
    ...duplicates.map(({ field, value }) => breakOf('duplicate', field, { order: value })),
    ...(lines.length === 0 || isAmbiguous ? [] : bankBreaks(component, settings)),
    ...(transfers.length === 0 ? [] : chainBreaks(component)),
    ...ambiguous,
  ];
  if (isAmbiguous) return { state: 'ambiguous', breaks };
  if (breaks.length > 0) return { state: 'break', breaks };
  return { state: awaited === null ? 'matched' : 'awaited', breaks };
};

const shareOf = (currency: string, amounts: readonly Decimal[]): CurrencyShare => ({
  currency,
  fiat: plainText(amounts.map(exactOf).reduce(plus, ZERO)),
});

/** What orders come to, without any lines, in each of their currencies; that of the first comes first. */
const sharesIn = ({ orders, lines }: Component): readonly CurrencyShare[] => {
  const amounts =
    orders.length > 0
      ? orders.map(({ currency, fiat }) => ({ currency, amount: fiat }))
      : lines.map(({ currency, amount }) => ({ currency, amount }));
  const byCurrency = [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, its]) =>
    shareOf(
      currency,
      its.map(({ amount }) => amount),
    ),
  );
  const [first, ...others] = byCurrency;
  return first === undefined ? [] : [first, ...others.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))];
};

/** What an item counts as in summaries: once in each of its currencies. */
export const sharesOf = ({
  currency,
  fiat,
  others = [],
}: Pick<MatchItem, 'currency' | 'fiat' | 'others'>): readonly Pick<MatchItem, 'currency' | 'fiat'>[] => [
  { currency, fiat },
  ...others,
];

/** The item that a component makes (docs/spec/match.md, Items). */
export const matchItem = (component: Component, settings: MatchSettings, calendar: Calendar): MatchItem => {
  const { members, lines, rules } = component;
  const [order] = component.orders;
  const [share, ...others] = sharesIn(component);
  const day = dayOf(component, calendar);
  const lacking = awaitedOf(component, day, settings);
  const found = foundOf(component, lacking, settings);
  const decision = shownDecision(component);
  const settles = decision !== null && isOfThis(decision, component);
  const decided =
    settles && decision.decision === 'accept' ? 'matched' : decision?.decision === 'explain' ? 'explained' : null;
  const awaited = found.state === 'awaited' ? lacking : null;
  return {
    itemId: itemIdOf(members),
    members,
    flow: order?.flow ?? null,
    currency: share?.currency ?? null,
    accounts: [...new Set(lines.map(({ account }) => account))].toSorted(),
    day,
    fiat: share?.fiat ?? plainText(ZERO),
    ...(others.length === 0 ? {} : { others }),
    state: decided ?? found.state,
    awaited: decided === null ? awaited : null,
    rule: ruleOf(rules),
    breaks: found.breaks,
    decision,
  };
};

/** What summaries need of the item of an order that nothing is known to belong to. */
export type OrderAlone = Pick<MatchItem, 'flow' | 'currency' | 'accounts' | 'state' | 'day' | 'fiat' | 'others'> & {
  readonly awaited: Pick<AwaitedPart, 'due' | 'currency' | 'chainId'>;
};

const NO_ACCOUNTS: readonly string[] = [];

/** The same as `itemOfOrderAlone` says, of an order for which something is due; null for any other. A build asks it of every order. */
export const orderAlone = (order: MatchOrder): OrderAlone | null => {
  const due = dueOf(order);
  if (due === null) return null;
  return {
    flow: order.flow,
    currency: order.currency,
    accounts: NO_ACCOUNTS,
    state: 'awaited',
    awaited: { due, currency: order.currency, chainId: order.chainId },
    day: order.settledDay ?? order.createdDay,
    fiat: normalised(order.fiat),
  };
};

/** The item of an order that nothing is known to belong to. */
export const itemOfOrderAlone = (order: MatchOrder, settings: MatchSettings, calendar: Calendar): MatchItem =>
  matchItem(
    {
      members: [orderNode(order.orderId)],
      orders: [order],
      lines: [],
      transfers: [],
      rules: new Set(),
      isAmbiguous: false,
      duplicates: [],
      decisions: [],
    },
    settings,
    calendar,
  );

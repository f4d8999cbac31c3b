import { expect } from 'chai';
import * as fc from 'fast-check';
import { awaitedState, type Today } from '../../../projections/match/awaited-state.ts';
import { factsOf, orderFact, transferFact } from '../../../projections/match/decided-facts.ts';
import { DECISIONS, type MatchDecision } from '../../../projections/match/decision.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { matchAll, namesOf } from '../../../projections/match/match-all.ts';
import type { MatchLine, MatchTransfer } from '../../../projections/match/match-index.ts';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import { nodeOf, orderNode, type NodeName } from '../../../projections/match/node.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { runs } from '../../support/runs.ts';
import { MatchBook } from './match-book.ts';
import {
  completed,
  currency,
  day,
  debit,
  decimal,
  deemedPayout,
  failedPayout,
  paidOut,
  transferOf,
  utcCalendar,
} from './match-scene.ts';

const IDS = ['o1', 'o2', 'o3', 'o4'] as const;
const UNSETTLED = { settledDay: null } as const;
const REFUNDED = { phase: 'refunded', status: 'refunded' } as const;
const REFUNDING = { phase: 'refunding', status: 'refunding' } as const;
const OPEN = { phase: 'open', status: 'fiatReceived' } as const;

/** Mostly of one currency, so that lines fit. */
const currencyOf = fc.constantFrom('INR', 'INR', 'INR', 'INR', 'EUR');

/** Amounts of which no two sums are equal by chance. */
const money = fc.record({ fiat: fc.constantFrom('1', '10', '100').map(decimal), currency: currencyOf });
const settledDay = fc.constantFrom('2026-03-10', '2026-03-12').map(day);

/** An order of an id in every phase of its flow. */
const orderOf = (id: string): fc.Arbitrary<MatchOrder> => {
  const utr = fc.constantFrom(`U-${id}`, `V-${id}`, 'shared', null);
  const hash = fc.constantFrom('0xaa', '0xbb', null);
  const offRamp = fc
    .tuple(utr, money, settledDay)
    .chain(([its, of, on]) =>
      fc.constantFrom(
        paidOut(id, its, { ...of, settledDay: on }),
        paidOut(id, its, { ...of, settledDay: on, ...REFUNDED }),
        failedPayout(id, its, of),
        failedPayout(id, its, { ...of, ...REFUNDED }),
        { ...deemedPayout(id, its), ...of },
        failedPayout(id, null, { ...of, payouts: [], status: 'pending', phase: 'open' }),
      ),
    );
  const chain = fc.constantFrom('137', '1').map(decimal);
  const onRamp = fc.tuple(hash, money, settledDay, chain).chain(([its, of, on, chainId]) => {
    const order = completed(id, its, { ...of, settledDay: on, chainId });
    return fc.constantFrom<MatchOrder>(
      order,
      { ...order, ...REFUNDING },
      { ...order, ...REFUNDED },
      { ...order, ...REFUNDING, ...UNSETTLED },
      { ...order, ...REFUNDED, ...UNSETTLED },
      { ...order, ...OPEN, ...UNSETTLED },
      { ...order, status: 'fiatPending', phase: 'open', ...UNSETTLED },
      { ...order, status: 'expired', phase: 'expired', ...UNSETTLED },
      { ...order, tokens: null, baseUnits: null },
    );
  });
  return fc.oneof(offRamp, onRamp);
};

const line: fc.Arbitrary<MatchLine> = fc
  .record({
    references: fc.uniqueArray(fc.constantFrom('shared', ...IDS, ...IDS.map((id) => `U-${id}`)), {
      minLength: 1,
      maxLength: 2,
    }),
    amount: fc.constantFrom('1', '10', '11', '100').map(decimal),
    currency: currencyOf.map(currency),
    direction: fc.constantFrom<'in' | 'out'>('in', 'out'),
  })
  .map((said) => debit(JSON.stringify(said), said));

const transfer: fc.Arbitrary<MatchTransfer> = fc
  .tuple(fc.constantFrom('0xaa', '0xbb', '0xcc'), fc.constantFrom<'success' | 'failed'>('success', 'failed'))
  .map(([txnHash, status]) => transferOf(txnHash, { status }));

type Facts = Omit<MatchSources, 'decisions'>;

const decidedOn = (all: Facts): fc.Arbitrary<MatchDecision> => {
  const names = namesOf(all);
  const some = (minLength: number) => fc.uniqueArray(fc.constantFrom(...names), { minLength, maxLength: 4 });
  return fc
    .record({
      // Mostly accepted: that alone joins what no rule does.
      decision: fc.oneof({ weight: 4, arbitrary: fc.constant('accept' as const) }, fc.constantFrom(...DECISIONS)),
      named: some(2),
      parted: fc.oneof({ weight: 3, arbitrary: fc.constant<NodeName[]>([]) }, some(1)),
      at: fc.nat({ max: 3 }),
      isStill: fc.constantFrom(true, false, false),
    })
    .map(({ decision, named, parted, at, isStill }) => {
      const group = named.toSorted();
      const apart = decision === 'explain' ? [] : parted.filter((name) => !group.includes(name)).toSorted();
      const facts = [
        ...all.orders.map(orderFact).filter(([name]) => group.includes(name)),
        ...all.transfers.map(transferFact).filter(([name]) => group.includes(name)),
      ];
      const itemId = itemIdOf([...group, ...apart].toSorted());
      // Of two kinds on one item the last counts.
      const said = { itemId, decision, with: [], note: '', by: 'k', at: instantOf(at), group, apart };
      return { ...said, facts: isStill ? factsOf(facts) : 'what they said before they changed' };
    });
};

const lastOf = <A>(keyOf: (it: A) => string, all: readonly A[]): readonly A[] => [
  ...new Map(all.map((it) => [keyOf(it), it])).values(),
];

const facts: fc.Arbitrary<Facts> = fc.record({
  orders: fc.subarray([...IDS], { minLength: 1 }).chain((ids) => fc.tuple(...ids.map(orderOf))),
  lines: fc
    .oneof({ weight: 2, arbitrary: fc.constant<MatchLine[]>([]) }, fc.array(line, { maxLength: 3 }))
    .map((all) => lastOf((it) => it.lineId, all)),
  transfers: fc
    .oneof({ weight: 2, arbitrary: fc.constant<MatchTransfer[]>([]) }, fc.array(transfer, { maxLength: 2 }))
    .map((all) => lastOf((it) => it.transferId, all)),
});

const sources: fc.Arbitrary<MatchSources> = facts.chain((all) =>
  namesOf(all).length < 2
    ? fc.constant({ ...all, decisions: [] })
    : fc
        .array(decidedOn(all), { maxLength: 2 })
        .map((decisions) => ({ ...all, decisions: lastOf((it) => it.itemId, decisions) })),
);

const today: fc.Arbitrary<Today> = fc.record({
  today: fc.constantFrom('2026-03-12', '2026-04-30').map(day),
  dueDays: fc.constant(2),
  covered: fc.subarray(['INR', 'EUR'].map((of) => ({ currency: of, from: day('2026-03-10'), to: day('2026-03-10') }))),
  chains: fc.subarray(['137', '1']).map((all) => new Set(all)),
});

const matched = (all: MatchSources): readonly MatchItem[] => matchAll(all, USUAL_MATCH_SETTINGS, utcCalendar);

/** What is shown of items on a day: the state, and the breaks of the day. */
const shownOf = (item: MatchItem, on: Today) => {
  const becomes = item.awaited === null ? null : awaitedState(item.awaited, item.day, on);
  if (item.state !== 'awaited') return { item, state: item.state, breaks: [] };
  return becomes === null ? null : { item, ...becomes };
};

// The oracle: what a person would say who has one item's papers before them.

const wasPaid = (order: MatchOrder): boolean =>
  order.flow === 'offramp'
    ? order.payouts.some(({ state }) => state === 'paid')
    : // Its tokens were delivered.
      order.settledDay !== null;

const isOpenPayout = (order: MatchOrder): boolean => order.flow === 'offramp' && order.status === 'fiatDeemed';

const isWanted = (order: MatchOrder): boolean => wasPaid(order) || isOpenPayout(order);

type Papers = Facts & { readonly item: MatchItem };

const papersOf = (item: MatchItem, all: MatchSources): Papers => {
  const has = (kind: string, id: string): boolean => item.members.some((name) => name === `${kind}:${id}`);
  return {
    item,
    orders: all.orders.filter(({ orderId }) => has('order', orderId)),
    lines: all.lines.filter(({ lineId }) => has('line', lineId)),
    transfers: all.transfers.filter(({ transferId }) => has('transfer', transferId)),
  };
};

/** What an order does to the bank account once all is done; null where nobody can say yet. */
const toTheAccount = (order: MatchOrder): number => {
  if (order.flow === 'offramp') return isWanted(order) ? -Number(order.fiat) : 0;
  const isIn = ['fiatReceived', 'completed', 'refunding'].includes(order.status);
  return isIn ? Number(order.fiat) : 0;
};

const hasItsMoney = (order: MatchOrder, { orders, lines, transfers }: Papers): boolean => {
  if (lines.length > 0) {
    const booked = lines.reduce(
      (sum, { direction, amount }) => sum + Number(amount) * (direction === 'in' ? 1 : -1),
      0,
    );
    const isOfIt = lines.every((it) => orders.every((other) => it.currency === branded(other.currency)));
    return isOfIt && booked === orders.reduce((sum, it) => sum + toTheAccount(it), 0);
  }
  if (order.flow === 'offramp') return false;
  return transfers.some(
    ({ txnHash, chainId, status }) =>
      status === 'success' && txnHash === branded(order.txnHash ?? '') && String(chainId) === order.chainId,
  );
};

const saysSo = (decision: MatchDecision, { item, orders, transfers }: Papers): boolean =>
  decision.decision === 'accept' &&
  JSON.stringify(decision.group) === JSON.stringify(item.members) &&
  decision.facts === factsOf([...orders.map(orderFact), ...transfers.map(transferFact)]);

/** Sums of what is missed, by kind and currency. */
const sumsOf = (orders: readonly MatchOrder[]): readonly string[] =>
  [...Map.groupBy(orders, (it) => JSON.stringify([it.flow, it.currency, it.flow === 'onramp' ? it.chainId : null]))]
    .map(([, its]) => String(its.reduce((sum, { fiat }) => sum + Number(fiat), 0)))
    .toSorted();

/** The same under other names, also where lines and decisions name orders. */
const renamed = (all: MatchSources, names: ReadonlyMap<string, string>): MatchSources => {
  const nodeFor = (name: NodeName): NodeName => {
    const { kind, id } = nodeOf(name);
    return kind === 'order' ? orderNode(branded<OrderId>(names.get(id) ?? id)) : name;
  };
  return {
    orders: all.orders.map((it) => ({ ...it, orderId: branded<OrderId>(names.get(it.orderId) ?? it.orderId) })),
    lines: all.lines.map((it) => ({ ...it, references: it.references.map((said) => names.get(said) ?? said) })),
    transfers: all.transfers,
    decisions: all.decisions.map((it) => {
      const [group, apart] = [it.group, it.apart].map((some) => some.map(nodeFor).toSorted());
      const isDated = it.facts === 'what they said before they changed';
      return { ...it, group: group ?? [], apart: apart ?? [], facts: isDated ? it.facts : null };
    }),
  };
};

/** An item without its id, whose members say what they are called in the end. */
const nameless = ({ itemId: _itemId, members, decision, ...item }: MatchItem, names: ReadonlyMap<string, string>) => ({
  ...item,
  // What nobody knows is told as the line says it.
  breaks: item.breaks.map(({ bank, ...it }) => ({
    ...it,
    bank: bank?.split(' ').map((word) => names.get(word) ?? word) ?? null,
  })),
  members: members
    .map((name) => {
      const { kind, id } = nodeOf(name);
      return `${kind}:${kind === 'order' ? (names.get(id) ?? id) : id}`;
    })
    .toSorted(),
  decidedBy: decision?.itemId ?? null,
});

const inOrder = (all: readonly { readonly members: readonly string[] }[]) =>
  all.toSorted((a, b) => (a.members.join(' ') < b.members.join(' ') ? -1 : 1));

describe('what is due in items of the match, whatever was decided and however orders changed since', () => {
  it('has every order that was paid or should have been, every line and every transfer in exactly one item, and shows it', () => {
    fc.assert(
      fc.property(sources, today, (all, on) => {
        const items = matched(all);
        const shown = items.filter((item) => shownOf(item, on) !== null).flatMap(({ members }) => members);
        const every = items.flatMap(({ members }) => members);
        expect(new Set(every).size).to.equal(every.length);
        const isHeld = (order: MatchOrder): boolean =>
          order.flow === 'offramp' ||
          on.covered.some((file) => file.currency === order.currency) ||
          on.chains.has(order.chainId);
        const wanted = all.orders.filter(isWanted);
        expect(every).to.include.members(wanted.map(({ orderId }) => orderNode(orderId)));
        expect(shown).to.include.members([...namesOf({ ...all, orders: wanted.filter(isHeld) })]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('calls nothing matched that lacks its money, unless somebody has accepted exactly that', () => {
    let seen = 0;
    fc.assert(
      fc.property(sources, (all) => {
        for (const item of matched(all)) {
          const papers = papersOf(item, all);
          if (item.state !== 'matched' || all.decisions.some((decision) => saysSo(decision, papers))) continue;
          for (const order of papers.orders.filter(isWanted)) {
            seen += 1;
            expect(hasItsMoney(order, papers), JSON.stringify(papers)).to.equal(true);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(seen).to.be.greaterThan(0);
  });

  it('misses what was paid with the sum of just that, by flow and currency', () => {
    let missed = 0;
    fc.assert(
      fc.property(sources, (all) => {
        const late: Today = {
          today: day('2026-04-30'),
          dueDays: 2,
          covered: ['INR', 'EUR'].map((of) => ({ currency: of, from: day('2026-03-01'), to: day('2026-03-01') })),
          chains: new Set(),
        };
        for (const item of matched(all)) {
          const { orders, lines, transfers } = papersOf(item, all);
          const paid = orders.filter(wasPaid);
          if (item.state !== 'awaited' || lines.length + transfers.length > 0 || paid.length === 0) continue;
          missed += 1;
          const shown = shownOf(item, late);
          expect(shown?.state).to.equal('unmatched-order');
          expect(shown?.breaks.map(({ code }) => code)).to.deep.equal(sumsOf(paid).map(() => 'missing-at-bank'));
          expect(shown?.breaks.map(({ order }) => order).toSorted()).to.deep.equal(sumsOf(paid));
        }
      }),
      { numRuns: runs(400) },
    );
    expect(missed).to.be.greaterThan(0);
  });

  it('says the same of orders of other names', () => {
    fc.assert(
      fc.property(sources, fc.shuffledSubarray([...IDS], { minLength: IDS.length }), (all, others) => {
        const there = new Map<string, string>(IDS.map((id, at) => [id, others[at] ?? id]));
        const back = new Map<string, string>([...there].map(([from, to]) => [to, from]));
        const same = new Map<string, string>();
        const here = renamed(all, same);
        const its = matched(renamed(all, there)).map((item) => nameless(item, back));
        expect(inOrder(its)).to.deep.equal(inOrder(matched(here).map((item) => nameless(item, same))));
      }),
      { numRuns: runs(400) },
    );
  });

  it('comes to the same step by step, orders going through other states on the way', () => {
    fc.assert(
      fc.property(
        sources.chain((all) =>
          fc.tuple(fc.constant(all), fc.tuple(...all.orders.map(({ orderId }) => orderOf(orderId)))),
        ),
        ([all, before]) => {
          const book = new MatchBook();
          let now: MatchSources = { ...all, orders: before };
          book.update(now, [...namesOf(now)]);
          for (const order of all.orders) {
            now = { ...now, orders: [...now.orders.filter(({ orderId }) => orderId !== order.orderId), order] };
            book.update(now, [orderNode(order.orderId)]);
          }
          expect(book.items()).to.deep.equal(matched(all));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

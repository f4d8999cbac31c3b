import * as fc from 'fast-check';
import type { Today } from '../../../projections/match/awaited-state.ts';
import { factsOf, orderFact, transferFact } from '../../../projections/match/decided-facts.ts';
import { DECISIONS, type MatchDecision } from '../../../projections/match/decision.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { namesOf } from '../../../projections/match/match-all.ts';
import type { MatchLine, MatchTransfer } from '../../../projections/match/match-index.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import type { NodeName } from '../../../projections/match/node.ts';
import { instantOf } from '../../../src/domain/instant.ts';
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
} from './match-scene.ts';

/** Ids of orders. */
export const IDS = ['o1', 'o2', 'o3', 'o4'] as const;
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
export const orderOf = (id: string): fc.Arbitrary<MatchOrder> => {
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

/** All but what was decided. */
export type Facts = Omit<MatchSources, 'decisions'>;

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

/** Orders in every state, with lines and transfers that may be theirs, and decisions on some of them. */
export const sources: fc.Arbitrary<MatchSources> = facts.chain((all) =>
  namesOf(all).length < 2
    ? fc.constant({ ...all, decisions: [] })
    : fc
        .array(decidedOn(all), { maxLength: 2 })
        .map((decisions) => ({ ...all, decisions: lastOf((it) => it.itemId, decisions) })),
);

/** Days on which some are due and others not, files that cover the first or none, and chains that transfers were seen on. */
export const today: fc.Arbitrary<Today> = fc.record({
  today: fc.constantFrom('2026-03-12', '2026-04-30').map(day),
  dueDays: fc.constant(2),
  covered: fc.subarray(['INR', 'EUR'].map((of) => ({ currency: of, from: day('2026-03-10'), to: day('2026-03-10') }))),
  chains: fc.subarray(['137', '1']).map((all) => new Set(all)),
});

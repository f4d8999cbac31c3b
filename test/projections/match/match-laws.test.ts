import { expect } from 'chai';
import * as fc from 'fast-check';
import { Components } from '../../../projections/match/components.ts';
import { factsOf, orderFact, transferFact } from '../../../projections/match/decided-facts.ts';
import { DECISIONS, type MatchDecision } from '../../../projections/match/decision.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { matchAll, namesOf } from '../../../projections/match/match-all.ts';
import { isUnmatched, itemOfOrderAlone, orderAlone, type MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchLine, MatchTransfer } from '../../../projections/match/match-index.ts';
import { dueOf, type MatchOrder } from '../../../projections/match/match-order.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId, Utr } from '../../../src/domain/ids.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { memoryIndex, type MatchSources } from '../../../projections/match/memory-index.ts';
import { orderNode, type NodeName } from '../../../projections/match/node.ts';
import { exactOf, plainText, plus, ZERO } from '../../../src/domain/exact.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { runs } from '../../support/runs.ts';
import { MatchBook } from './match-book.ts';
import {
  completed,
  day,
  debit,
  decimal,
  deemedPayout,
  failedPayout,
  paidOut,
  transferOf,
  utcCalendar,
} from './match-scene.ts';

/** Few of everything, so that much of it meets. */
const CUT = '412345678901';
const utr = fc.constantFrom('U1', 'U2', 'U-3', CUT, null);
const amount = fc.constantFrom('100.00', '100', '60', '40').map(decimal);
const bookedOn = fc.constantFrom('2026-03-10', '2026-03-11', '2026-03-30').map(day);
const id = fc.constantFrom('o1', 'o2', 'o3', 'o4', 'o5', 'o6');
const hash = fc.constantFrom('0xaa', '0xAA', '0xbb', null);

const order: fc.Arbitrary<MatchOrder> = fc.oneof(
  fc.tuple(id, utr, amount, bookedOn).map(([o, u, fiat, settledDay]) => paidOut(o, u, { fiat, settledDay })),
  fc.tuple(id, utr).map(([o, u]) => failedPayout(o, u)),
  fc.tuple(id, utr).map(([o, u]) => deemedPayout(o, u)),
  fc.tuple(id, hash, amount).map(([o, h, fiat]) => completed(o, h, { fiat })),
  fc.tuple(id, hash).map(([o, h]) => completed(o, h, { status: 'expired', phase: 'expired', settledDay: null })),
);

const named = fc.constantFrom('U1', 'U2', 'U-3', 'o1', 'o2', 'nobody', 'FT1');

/** A line as one file or two have it: they say the same, but for which references are the bank's own. */
const line: fc.Arbitrary<readonly MatchLine[]> = fc
  .record({
    name: fc.constantFrom('l1', 'l2', 'l3', 'l4', 'l5'),
    references: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.uniqueArray(named, { maxLength: 2 }) },
    ),
    text: fc.oneof(
      fc.constant(''),
      named.map((it) => `NEFT ${it}/X`),
      fc.constantFrom(CUT, '41234 5678901', '4123 4567 8901/U2', 'X4123 45678901'),
    ),
    amount,
    bookedOn,
    direction: fc.constantFrom<'in' | 'out'>('in', 'out'),
    reversal: fc.boolean(),
  })
  .chain((said) =>
    fc.tuple(fc.constant(said), fc.array(fc.subarray([...said.references]), { minLength: 1, maxLength: 2 })),
  )
  // A line of one id is one line: what it says is a function of it.
  .map(([{ name, ...over }, own]) =>
    own.map((ownReferences) => debit(`${name}${JSON.stringify(over)}`, { ...over, ownReferences })),
  );

const transfer: fc.Arbitrary<MatchTransfer> = fc
  .tuple(fc.constantFrom('0xaa', '0xbb', '0xcc'), fc.constantFrom<'success' | 'failed'>('success', 'failed'))
  .map(([txnHash, status]) => transferOf(txnHash, { status }));

const lastOf = <A>(keyOf: (it: A) => string, all: readonly A[]): readonly A[] => [
  ...new Map(all.map((it) => [keyOf(it), it])).values(),
];

const facts = fc
  .record({
    orders: fc.array(order, { maxLength: 8 }),
    lines: fc.array(line, { maxLength: 8 }),
    transfers: fc.array(transfer, { maxLength: 4 }),
  })
  .map(({ orders, lines, transfers }) => ({
    orders: lastOf((it) => it.orderId, orders),
    lines: lines.flat(),
    transfers: lastOf((it) => it.transferId, transfers),
  }));

const sources: fc.Arbitrary<MatchSources> = facts.chain((all) => {
  const names = namesOf(all);
  if (names.length === 0) return fc.constant({ ...all, decisions: [] });
  const some = (minLength: number) => fc.uniqueArray(fc.constantFrom(...names), { minLength, maxLength: 3 });
  const decision = fc
    .record({ kind: fc.constantFrom(...DECISIONS), group: some(1), apart: some(0), at: fc.nat({ max: 5 }) })
    .map(({ kind, group, apart, at }): MatchDecision => {
      const parted = apart.filter((name) => !group.includes(name)).toSorted();
      return {
        itemId: itemIdOf([...group, ...parted].toSorted()),
        decision: kind,
        with: [],
        note: '',
        by: 'k',
        at: instantOf(at),
        group: group.toSorted(),
        apart: kind === 'explain' ? [] : parted,
        facts: null,
      };
    });
  return fc
    .array(decision, { maxLength: 3 })
    .map((decisions) => ({ ...all, decisions: lastOf((it) => it.itemId, decisions) }));
});

/** Orders and lines that nothing tells apart but their days, of creation or settlement. */
const alike: fc.Arbitrary<MatchSources> = fc
  .record({
    orders: fc
      .uniqueArray(id, { minLength: 1 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((it) => fc.constantFrom(paidOut(it, null), failedPayout(it, null), deemedPayout(it, null))),
        ),
      ),
    lines: fc.uniqueArray(fc.constantFrom('2026-03-09', '2026-03-10').map(day), { minLength: 1 }),
  })
  .map(({ orders, lines }) => ({
    orders,
    lines: lines.map((on) => debit(`alike ${on}`, { bookedOn: on, references: [] })),
    transfers: [],
    decisions: [],
  }));

const matched = (all: MatchSources): readonly MatchItem[] => matchAll(all, USUAL_MATCH_SETTINGS, utcCalendar);

const shuffled = (all: MatchSources): fc.Arbitrary<MatchSources> => {
  const mixed = <A>(some: readonly A[]): fc.Arbitrary<A[]> =>
    fc
      .shuffledSubarray([...some, ...some], { minLength: some.length * 2, maxLength: some.length * 2 })
      .map((twice) => [...twice]);
  return fc.record({
    orders: mixed(all.orders),
    lines: mixed(all.lines),
    transfers: mixed(all.transfers),
    decisions: mixed(all.decisions),
  });
};

type Step =
  | { readonly kind: 'orders'; readonly it: MatchOrder }
  | { readonly kind: 'lines'; readonly it: MatchLine }
  | { readonly kind: 'transfers'; readonly it: MatchTransfer }
  | { readonly kind: 'decisions'; readonly it: MatchDecision };

const stepsOf = (all: MatchSources): readonly Step[] => [
  ...all.orders.map((it): Step => ({ kind: 'orders', it })),
  ...all.lines.map((it): Step => ({ kind: 'lines', it })),
  ...all.transfers.map((it): Step => ({ kind: 'transfers', it })),
  ...all.decisions.map((it): Step => ({ kind: 'decisions', it })),
];

const after = (now: MatchSources, step: Step): MatchSources => {
  if (step.kind === 'orders') {
    return { ...now, orders: [...now.orders.filter((it) => it.orderId !== step.it.orderId), step.it] };
  }
  if (step.kind === 'lines') return { ...now, lines: [...now.lines, step.it] };
  if (step.kind === 'transfers') return { ...now, transfers: [...now.transfers, step.it] };
  return { ...now, decisions: [...now.decisions, step.it] };
};

const touchedBy = (step: Step): readonly NodeName[] => {
  if (step.kind === 'decisions') return [...step.it.group, ...step.it.apart];
  const none = { orders: [], lines: [], transfers: [] };
  return namesOf({ ...none, [step.kind]: [step.it] });
};

const NOTHING: MatchSources = { orders: [], lines: [], transfers: [], decisions: [] };

describe('laws of the match', () => {
  it('depends on the sets of orders, lines, transfers and decisions, not on their order or repetition', () => {
    fc.assert(
      fc.property(
        sources.chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
        ([all, mixed]) => {
          expect(matched(mixed)).to.deep.equal(matched(all));
        },
      ),
    );
  });

  it('puts every line, every transfer and every order that is due into exactly one item', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const placed = matched(all).flatMap(({ members }) => members);
        expect(new Set(placed).size).to.equal(placed.length);
        const due = new Set(namesOf({ ...all, orders: all.orders.filter((it) => dueOf(it) !== null) }));
        expect(placed.filter((name) => due.has(name)).toSorted()).to.deep.equal([...due].toSorted());
      }),
    );
  });

  // By their first settlement such items are put into a month that begins in another zone (src/queries/periods/unmatched-in-month.ts).
  it('calls nothing unmatched that has orders of which none settled, with lines or without', () => {
    let unmatched = 0;
    fc.assert(
      fc.property(fc.oneof(sources, alike), (all) => {
        const settled = new Set(all.orders.flatMap((it) => (it.settledDay === null ? [] : [orderNode(it.orderId)])));
        for (const { state, flow, awaited, members } of matched(all)) {
          const becomes = state === 'awaited' ? (awaited?.due === 'payout' ? 'unmatched-order' : 'expected') : state;
          if (flow === null || !isUnmatched(becomes, flow)) continue;
          unmatched += 1;
          expect(members.some((name) => settled.has(name))).to.equal(true);
        }
      }),
    );
    expect(unmatched).to.be.greaterThan(0);
  });

  it('gives items ids that differ', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const ids = matched(all).map(({ itemId }) => itemId);
        expect(new Set(ids).size).to.equal(ids.length);
      }),
    );
  });

  it('comes step by step to what it comes to from scratch, orders changing on the way', () => {
    fc.assert(
      fc.property(
        sources.chain((all) =>
          fc.tuple(
            fc.constant(all),
            // What orders were before.
            fc.array(order, { maxLength: 6 }),
            fc.shuffledSubarray([...stepsOf(all)], { minLength: stepsOf(all).length }),
          ),
        ),
        ([all, earlier, steps]) => {
          const book = new MatchBook();
          let now = NOTHING;
          const known = new Set(all.orders.map(({ orderId }) => orderId));
          const before = earlier
            .filter(({ orderId }) => known.has(orderId))
            .map((it): Step => ({ kind: 'orders', it }));
          for (const step of [...before, ...steps]) {
            now = after(now, step);
            book.update(now, touchedBy(step));
          }
          expect(book.items()).to.deep.equal(matched(all));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('holds what was decided as long as it says what it said then, and no longer', () => {
    const facts = (all: Pick<MatchSources, 'orders' | 'transfers'>): string =>
      factsOf([...all.orders.map(orderFact), ...all.transfers.map(transferFact)]);
    const settledBy = (order: MatchOrder, decision: Partial<MatchDecision>, over: Partial<MatchSources> = {}) => {
      const was = {
        orders: [order],
        lines: [debit('l', { references: ['U1'], amount: decimal('99') })],
        transfers: [],
      };
      const now = { ...was, ...over };
      const names = namesOf(was).toSorted();
      const decided: MatchDecision = {
        itemId: itemIdOf(names),
        decision: 'accept',
        with: [],
        note: '',
        by: 'k',
        at: instantOf(1),
        group: names,
        apart: [],
        facts: facts(was),
        ...decision,
      };
      return matched({ ...now, decisions: [decided] }).map((item) => item.state);
    };
    const order = paidOut('o', 'U1');
    const becomes = (over: Partial<MatchOrder>) => ({ orders: [{ ...order, ...over }] });
    const otherwise = [
      becomes({ fiat: decimal('101') }),
      becomes({ currency: 'EUR' }),
      becomes({ payouts: [{ utr: branded<Utr>('U1'), state: 'failed' }], settledDay: null, phase: 'failed' }),
      becomes({ tds: decimal('1') }),
    ];
    const alike = [
      becomes({ fiat: decimal('100.000'), walletAddress: order.walletAddress.toUpperCase() }),
      becomes({ phase: 'refunded', status: 'refunded' }),
      becomes({ settledDay: day('2026-03-11') }),
    ];
    for (const decision of ['accept', 'explain'] as const) {
      const state = decision === 'accept' ? 'matched' : 'explained';
      expect(settledBy(order, { decision })).to.deep.equal([state]);
      for (const over of alike) expect(settledBy(order, { decision }, over)).to.deep.equal([state]);
      for (const over of otherwise) expect(settledBy(order, { decision }, over)).to.deep.equal(['break']);
      for (const over of otherwise)
        expect(settledBy(order, { decision, facts: null }, over), 'one of a first ledger').to.deep.equal([state]);
    }
  });

  it('goes through what is of one amount and day, of one utr, of one transaction or accepted together once, however many it is', () => {
    const many = 300;
    const orders = Array.from({ length: many }, (_, i) => paidOut(`o${i}`, null));
    const lines = Array.from({ length: many }, (_, i) => debit(`l${i}`));
    const doubles = Array.from({ length: many }, (_, i) => paidOut(`d${i}`, 'U9'));
    const batch = Array.from({ length: many }, (_, i) => completed(`b${i}`, '0xaa'));
    const transfers = Array.from({ length: many }, (_, i) => ({
      ...transferOf('0xaa'),
      transferId: transferOf(`0xaa${i}`).transferId,
    }));
    const all: MatchSources = { orders: [...orders, ...doubles, ...batch], lines, transfers, decisions: [] };
    const index = memoryIndex(all, USUAL_MATCH_SETTINGS);
    let asked = 0;
    const counted =
      <A>(find: (key: string) => readonly A[]) =>
      (key: string): readonly A[] => {
        const found = find(key);
        asked += found.length;
        return found;
      };
    const counting = {
      ...index,
      linesOfDay: counted(index.linesOfDay),
      ordersOfDay: counted(index.ordersOfDay),
      ordersWithUtr: counted(index.ordersWithUtr),
      ordersWithHash: counted(index.ordersWithHash),
      transfersWithHash: counted(index.transfersWithHash),
    };
    const components = new Components(counting, USUAL_MATCH_SETTINGS);
    expect(components.of(orderNode(branded<OrderId>('o7')))?.members).to.have.length(2 * many);
    expect(components.of(orderNode(branded<OrderId>('d7')))?.members).to.have.length(many);
    expect(components.of(orderNode(branded<OrderId>('b7')))?.members).to.have.length(2 * many);
    // On-ramp orders of one transaction are looked for as the doubles of each other, and as those of its transfers.
    expect(asked).to.be.lessThan(7 * many);
  });

  it('looks at what a decision names once, however many of the nodes are touched that it names', () => {
    const lines = Array.from({ length: 300 }, (_, i) => debit(`l${i}`));
    const group = namesOf({ orders: [], lines, transfers: [] }).toSorted();
    let asked = 0;
    const decision: MatchDecision = {
      itemId: itemIdOf(group),
      decision: 'accept',
      with: [],
      note: '',
      by: 'k',
      at: instantOf(1),
      get group() {
        asked += 1;
        return group;
      },
      apart: [],
      facts: null,
    };
    const book = new MatchBook();
    book.update({ orders: [], lines, transfers: [], decisions: [decision] }, group);
    expect(book.items().map(({ members }) => members.length)).to.deep.equal([group.length]);
    expect(asked).to.be.lessThan(10);
  });

  it('takes a decision back without a trace', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const book = new MatchBook();
        book.update(all, [...namesOf(all)]);
        const undecided = { ...all, decisions: [] };
        book.update(
          undecided,
          all.decisions.flatMap(({ group, apart }) => [...group, ...apart]),
        );
        expect(book.items()).to.deep.equal(matched(undecided));
      }),
    );
  });

  it('takes an order alone for the item that it makes', () => {
    fc.assert(
      fc.property(order, (its) => {
        const {
          flow,
          currency,
          accounts,
          state,
          day: counted,
          fiat,
          awaited,
        } = itemOfOrderAlone(its, USUAL_MATCH_SETTINGS, utcCalendar);
        const due =
          awaited === null ? null : { due: awaited.due, currency: awaited.currency, chainId: awaited.chainId };
        const shown = due === null ? null : { flow, currency, accounts, state, day: counted, fiat, awaited: due };
        expect(orderAlone(its)).to.deep.equal(shown);
      }),
    );
  });

  it('sums orders, or lines where there are none, to the last digit', () => {
    fc.assert(
      fc.property(sources, (all) => {
        const fiats = new Map<string, string>(all.orders.map(({ orderId, fiat }) => [orderNode(orderId), fiat]));
        for (const item of matched(all)) {
          if (item.flow === null) continue;
          const sum = item.members
            .flatMap((name) => fiats.get(name) ?? [])
            .reduce((total, fiat) => plus(total, exactOf(decimal(fiat))), ZERO);
          expect(item.fiat).to.equal(plainText(sum));
        }
      }),
    );
  });
});

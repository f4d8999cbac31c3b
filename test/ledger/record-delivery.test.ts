import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { foldOrder, type OrderState } from '../../projections/order-state/index.ts';
import { branded } from '../../src/domain/brand.ts';
import type { VerifiedDelivery } from '../../src/domain/delivery.ts';
import { orderStream, type OrderId, type RequestId, type Sha256, type StreamName } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { readLedgerEvent } from '../../src/domain/ledger-event.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { AppendError, Appended, EventStore } from '../../src/event-store/event-store.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recallDelivery } from '../../src/ledger/recall-delivery.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { listedStatuses } from '../support/arbitraries.ts';
import { bodyOf, newOrderId, offRamp, onRamp, verifiedDelivery } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { OrderStore } from '../../src/ledger/record-order-event.ts';
import { pagesOf } from '../support/pages-of.ts';

/** Runs deliveries through the real pipeline: decode, decide, append. */
type Ledger = {
  readonly store: EventStore;
  /** What is recalled of a delivery is held to what recording it answers. */
  readonly deliver: (payload: JsonObject | string) => Promise<Recorded>;
  readonly recall: (payload: JsonObject | string) => Recorded | null;
};

/** Each arrival is a request of its own, which is what tells two deliveries of the same bytes apart. */
const arrived = (body: Buffer): VerifiedDelivery =>
  verifiedDelivery(body, { requestId: branded<RequestId>(randomUUID()) });

const ledgerOver = (store: EventStore, appendsThrough: OrderStore, kept: number): Ledger => {
  const recent = new RecentOrders(kept);
  const quarantined = new Set<Sha256>();
  const record = recordDelivery({ store: appendsThrough, recent, quarantined });
  const recall = recallDelivery({ recent, quarantine: { bodies: quarantined } });
  return {
    store,
    deliver: async (payload) => {
      const body = bodyOf(payload);
      const verified = arrived(body);
      const recalled = recall(verified);
      const recorded = right(await record({ verified, content: readContent(body) })());
      if (recalled !== null) expect(recalled, 'what is recalled').to.deep.equal(recorded);
      return recorded;
    },
    recall: (payload) => recall(arrived(bodyOf(payload))),
  };
};

describe('record-delivery over SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: EventStore;
  before(async () => {
    folder = temporaryFolder();
    store = right(await openServing({ dataDir: folder.path, file: `${folder.path}/events.db` }));
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  const events = async (orderId: string) => right(await store.readStream(orderStream(branded<OrderId>(orderId)))());

  /** With a memory of recent orders, and with none: every decision is then over the stream itself. */
  for (const [name, kept] of [
    ['remembering recent orders', 1000],
    ['remembering nothing', 0],
  ] as const) {
    describe(name, () => {
      const ledger = (): Ledger => ledgerOver(store, store, kept);

      it('follows the decision table', async () => {
        const { deliver } = ledger();
        const orderId = newOrderId();
        const first = await deliver(offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' }));
        const paid = await deliver(offRamp({ orderId, status: 'PayoutSuccess', utr: 'U1' }));
        const again = await deliver(offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' }));
        const updated = await deliver(
          offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', updated_at: '2024-01-01T00:00:00Z' }),
        );
        const other = await deliver(offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', fiat: 1 }));
        const otherAgain = await deliver(offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', fiat: 1 }));
        const third = await deliver(offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', fiat: 2 }));
        const unlisted = await deliver(offRamp({ orderId, status: 'onHold' }));
        const outcomes = [first, paid, again, updated, other, otherAgain, third, unlisted];
        expect(outcomes.map(({ outcome, event }) => [outcome, event.revision])).to.deep.equal([
          ['recorded', 0],
          ['recorded', 1],
          ['duplicate', 0],
          ['duplicate', 0],
          ['conflict', 2],
          ['conflict', 2],
          ['conflict', 3],
          ['recorded', 4],
        ]);
        expect(again.event).to.deep.equal(updated.event);
        expect(otherAgain.event).to.deep.equal(other.event);
        expect((await events(orderId)).map((event) => event.type)).to.deep.equal([
          'OffRampFiatDeemed',
          'OffRampPayoutSuccess',
          'ConflictingDelivery',
          'ConflictingDelivery',
          'OffRampUnlistedStatus',
        ]);
      });

      it('quarantines an order of the other flow, and what is no order event, each body once', async () => {
        const { deliver } = ledger();
        const orderId = newOrderId();
        await deliver(onRamp({ orderId }));
        for (const [body, named] of [
          [bodyOf(offRamp({ orderId })).toString(), orderId],
          [`no JSON ${orderId}`, null],
          [JSON.stringify({ request_data: { orderid: orderId, txnhash: '0x1' } }), null],
          [JSON.stringify({ eventType: 'onramp', orderId, fiat: 'much' }), orderId],
        ] as const) {
          const one = await deliver(body);
          const two = await deliver(body);
          expect([one.outcome, one.orderId, one.event.revision], body).to.deep.equal(['quarantined', named, 0]);
          expect(two).to.deep.equal(one);
          const [kept, ...more] = right(await store.readStream(one.stream)());
          expect(kept?.rawBody?.toString()).to.equal(body);
          expect(more).to.deep.equal([]);
        }
        expect(await events(orderId)).to.have.length(1);
      });

      it('counts a delivery once however many come at the same time', async () => {
        const { deliver } = ledger();
        const orderId = newOrderId();
        const same = onRamp({ orderId, status: 'completed' });
        const answers = await Promise.all(Array.from({ length: 40 }, () => deliver(same)));
        expect(answers.filter(({ outcome }) => outcome === 'recorded')).to.have.length(1);
        expect(answers.filter(({ outcome }) => outcome === 'duplicate')).to.have.length(39);
        expect(new Set(answers.map(({ event }) => JSON.stringify(event))).size).to.equal(1);
        expect(await events(orderId)).to.have.length(1);
      });

      it('loses no delivery of one order when many different ones come at the same time', async () => {
        const { deliver } = ledger();
        const orderId = newOrderId();
        const utrs = Array.from({ length: 120 }, (_, i) => `UTR${i}`);
        const answers = await Promise.all(utrs.map((utr) => deliver(offRamp({ orderId, status: 'fiatDeemed', utr }))));
        expect(answers.map(({ outcome }) => outcome)).to.deep.equal(utrs.map(() => 'recorded'));
        expect(answers.map(({ event }) => event.revision).toSorted((a, b) => a - b)).to.deep.equal(
          utrs.map((_, i) => i),
        );
      });

      it('two ledgers that receive at once count each delivery once', async () => {
        const [one, two] = [ledger(), ledger()];
        const orderId = newOrderId();
        const statuses = ['pending', 'orderReceived', 'CryptoReceived', 'fiatDeemed', 'PayoutSuccess', 'refunded'];
        const answers = await Promise.all(
          statuses.flatMap((status) => [one, two].map(({ deliver }) => deliver(offRamp({ orderId, status })))),
        );
        expect(answers.filter(({ outcome }) => outcome === 'recorded')).to.have.length(statuses.length);
        expect(answers.filter(({ outcome }) => outcome === 'duplicate')).to.have.length(statuses.length);
        expect(await events(orderId)).to.have.length(statuses.length);
      });
    });
  }

  it('recalls the bytes of order events that are remembered, and of nothing else', async () => {
    const { deliver, recall } = ledgerOver(store, store, 1000);
    const orderId = newOrderId();
    const first = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1' });
    const other = offRamp({ orderId, status: 'fiatDeemed', utr: 'U1', fiat: 1 });
    const unread = JSON.stringify({ eventType: 'onramp', orderId, fiat: 'much' });
    expect(recall(first)).to.equal(null);
    const recorded = await deliver(first);
    expect(recall(first)).to.deep.equal({ ...recorded, outcome: 'duplicate' });
    expect((await deliver(other)).outcome).to.equal('conflict');
    expect((await deliver(unread)).outcome).to.equal('quarantined');
    const spelledAnew = JSON.stringify(first, null, 1);
    for (const payload of [
      other,
      unread,
      spelledAnew,
      { ...first, orderId: newOrderId() },
      'no JSON',
      '{"orderId":"',
    ]) {
      expect(recall(payload), JSON.stringify(payload).slice(0, 80)).to.equal(null);
    }
    // What a restart has read from the stream is recalled as well, once a delivery was decided over it.
    const later = ledgerOver(store, store, 1000);
    expect(later.recall(first)).to.equal(null);
    await later.deliver(first);
    expect(later.recall(first)).to.deep.equal({ ...recorded, outcome: 'duplicate' });
    expect(later.recall(other)).to.equal(null);
  });

  it('recalls no body that lies in quarantine, which may be a release, and nothing before the quarantine is known', async () => {
    const recent = new RecentOrders(10);
    const record = recordDelivery({ store, recent, quarantined: new Set() });
    const body = bodyOf(onRamp({ orderId: newOrderId() }));
    const verified = arrived(body);
    right(await record({ verified, content: readContent(body) })());
    const recallWith = (bodies: ReadonlySet<Sha256> | null) =>
      recallDelivery({ recent, quarantine: { bodies: bodies === null ? null : new Set(bodies) } })(verified);
    expect(recallWith(new Set())?.outcome).to.equal('duplicate');
    expect(recallWith(new Set([verified.bodySha256]))).to.equal(null);
    expect(recallWith(null)).to.equal(null);
  });

  /** An order's state without what another arrival may change: revision, and the times of receipt. */
  const settled = async (orderId: string): Promise<unknown> => {
    const state = foldOrder((await events(orderId)).map((event) => right(readLedgerEvent(event))));
    const { revision: _r, firstReceivedAt: _f, lastReceivedAt: _l, ...rest }: Partial<OrderState> = state ?? {};
    return JSON.parse(JSON.stringify(rest));
  };

  /** Deliveries of one order in which each key has one set of facts and one `updated_at`. */
  const deliverySets = fc.constantFrom<'onramp' | 'offramp'>('onramp', 'offramp').chain((flow) =>
    fc
      .uniqueArray(
        fc.record({
          status: fc.oneof(
            { weight: 6, arbitrary: listedStatuses(flow) },
            { weight: 1, arbitrary: fc.constant('onHold') },
          ),
          utr: flow === 'offramp' ? fc.constantFrom(null, null, 'A1', 'B2') : fc.constant(null),
          fiat: fc.constantFrom(100, 100, 100.5),
          currency: fc.constantFrom('inr', 'INR'),
          updated_at: fc.constantFrom('0001-01-01T00:00:00Z', '2024-05-06T07:08:09Z', '2024-05-07T07:08:09Z'),
        }),
        { minLength: 1, maxLength: 7, selector: ({ status, utr }) => JSON.stringify([status, utr]) },
      )
      .map((members) =>
        members.map((over) => (flow === 'onramp' ? onRamp : offRamp)({ ...over, updated_at: over.updated_at })),
      ),
  );

  it('any permutation with any repetition of a set of deliveries gives the same order', async () => {
    const sets = deliverySets.chain((set) =>
      fc.record({
        set: fc.constant(set),
        arrivals: fc
          .array(fc.nat(set.length - 1), { maxLength: 12 })
          .chain((repeats) =>
            fc.shuffledSubarray([...set.keys(), ...repeats], { minLength: set.length + repeats.length }),
          ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(sets, fc.boolean(), async ({ set, arrivals }, remember) => {
        // Both under one order id, since ties are broken by event ids: the second one in a store of its own.
        const orderId = newOrderId();
        const other = temporaryFolder();
        const elsewhere = right(await openServing({ dataDir: other.path, file: `${other.path}/events.db` }));
        try {
          const straight = ledgerOver(store, store, 1000);
          const shuffled = ledgerOver(elsewhere, elsewhere, remember ? 1000 : 0);
          for (const payload of set) await straight.deliver({ ...payload, orderId });
          const seen = new Set<number>();
          for (const i of arrivals) {
            const { outcome } = await shuffled.deliver({ ...set[i], orderId });
            expect(outcome).to.equal(seen.has(i) ? 'duplicate' : 'recorded');
            seen.add(i);
          }
          const there = right(await elsewhere.readStream(orderStream(branded<OrderId>(orderId)))());
          const theirs = foldOrder(there.map((event) => right(readLedgerEvent(event))));
          const { revision: _r, firstReceivedAt: _f, lastReceivedAt: _l, ...rest }: Partial<OrderState> = theirs ?? {};
          expect(JSON.parse(JSON.stringify(rest))).to.deep.equal(await settled(orderId));
        } finally {
          await elsewhere.close();
          other.remove();
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it('reads one event for a contradiction of a remembered order, however many events that has', async () => {
    const orderId = newOrderId();
    let streams = 0;
    const counting = {
      ...store,
      streamPages: (stream: StreamName) => {
        streams += 1;
        return store.streamPages(stream);
      },
    };
    const { deliver } = ledgerOver(store, counting, 100);
    await deliver(onRamp({ orderId }));
    for (const fiat of [101, 102, 102]) {
      const { outcome, event } = await deliver(onRamp({ orderId, fiat }));
      expect([outcome, event.revision]).to.deep.equal(['conflict', fiat === 101 ? 1 : 2]);
    }
    expect((await deliver(`${JSON.stringify(onRamp({ orderId }))} `)).outcome).to.equal('duplicate');
    const atOnce = Array.from({ length: 30 }, (_, i) => onRamp({ orderId, fiat: 200 + i }));
    for (const { outcome } of await Promise.all(atOnce.map(deliver))) expect(outcome).to.equal('conflict');
    expect(streams).to.equal(0);
    expect(await events(orderId)).to.have.length(33);
  });

  it('reads the stream where another event is at the position that it remembers, as in a log that was put back', async () => {
    const other = await ledgerOver(store, store, 0).deliver(offRamp());
    const elsewhere: OrderStore = {
      append: store.append,
      readStream: store.readStream,
      streamPages: store.streamPages,
      readAt: () => store.readAt([other.event.position]),
    };
    const { deliver } = ledgerOver(store, elsewhere, 10);
    const payload = offRamp({ status: 'fiatDeemed', utr: 'U1' });
    expect((await deliver(payload)).outcome).to.equal('recorded');
    expect((await deliver(JSON.stringify(payload, null, 2))).outcome).to.equal('duplicate');
  });

  it('decides nothing over a stream whose beginning the store hides, and records nothing twice', async () => {
    const orderId = newOrderId();
    const bodies = (['fiatPending', 'orderReceived', 'fiatReceived'] as const).map((status) =>
      bodyOf(onRamp({ orderId, status })),
    );
    const over = (through: OrderStore) => {
      const record = recordDelivery({ store: through, recent: new RecentOrders(1000), quarantined: new Set() });
      return (body: Buffer) => record({ verified: arrived(body), content: readContent(body) })();
    };
    for (const body of bodies) right(await over(store)(body));
    const hiding = {
      ...store,
      streamPages: pagesOf(
        (stream) => async () =>
          E.map((all: readonly RecordedEvent[]) => all.slice(2))(await store.readStream(stream)()),
      ),
    };
    for (const body of [...bodies, bodyOf(onRamp({ orderId, status: 'completed' }))]) {
      const refused = await over(hiding)(body);
      if (E.isRight(refused)) expect.fail(JSON.stringify(refused.right));
      expect(refused.left).to.include({ _tag: 'AppendRefused' });
      expect(refused.left)
        .to.have.property('detail')
        .that.matches(/begins with revision 2: take \$tb, .* hand in again/);
    }
    expect(await events(orderId)).to.have.length(3);
    expect(right(await over(store)(bodies[0] ?? expect.fail('none'))).outcome).to.equal('duplicate');
  });

  it('repeats nothing of its own accord when the outcome is unknown, and a redelivery then finds the event', async () => {
    const orderId = newOrderId();
    let silent = true;
    const forgetful: OrderStore = {
      readAt: store.readAt,
      readStream: store.readStream,
      streamPages: store.streamPages,
      append:
        (stream, expected, all): TE.TaskEither<AppendError, Appended> =>
        async () => {
          const answer = await store.append(stream, expected, all)();
          return silent ? E.left({ _tag: 'StoreUnavailable', detail: 'no answer' }) : answer;
        },
    };
    const recent = new RecentOrders(10);
    const record = recordDelivery({ store: forgetful, recent, quarantined: new Set() });
    const recall = recallDelivery({ recent, quarantine: { bodies: new Set() } });
    const body = bodyOf(onRamp({ orderId }));
    const lost = await record({ verified: verifiedDelivery(body), content: readContent(body) })();
    expect(E.isLeft(lost) ? lost.left._tag : 'success').to.equal('StoreUnavailable');
    expect(recall(verifiedDelivery(body)), 'what nobody said to be durable').to.equal(null);
    silent = false;
    const later = verifiedDelivery(body, { receivedAt: instantOf(Date.now() + 60_000) });
    const found = right(await record({ verified: later, content: readContent(body) })());
    expect([found.outcome, found.event.revision]).to.deep.equal(['duplicate', 0]);
    expect(await events(orderId)).to.have.length(1);
  });
});

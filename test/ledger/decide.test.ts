import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { OrderDelivery } from '../../src/domain/delivery.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { Revision } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { decide, type Decision } from '../../src/ledger/decide.ts';
import { foundInMemory, foundWith, type FoundOrder } from '../../src/ledger/found-order.ts';
import { historyOf, type OrderHistory } from '../../src/ledger/order-history.ts';
import { formerConflict } from '../support/former-conflict.ts';
import { bodyOf, offRamp, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { onePage } from '../support/pages-of.ts';
import { right } from '../support/right.ts';

const ORDER = { orderId: 'order-1' };

const deliveryOf = (payload: JsonObject | string): OrderDelivery => ({
  verified: verifiedDelivery(bodyOf(payload)),
  content: orderContent(payload),
});

const foundInStream = (
  stream: readonly RecordedEvent[],
  history: OrderHistory | null,
  delivery: OrderDelivery,
): FoundOrder | null =>
  history === null
    ? null
    : (foundInMemory(history, delivery) ??
      foundWith(history, delivery, ({ eventId }) => stream.find(({ id }) => id === eventId)));

const over = async (stream: readonly RecordedEvent[], delivery: OrderDelivery): Promise<Decision> =>
  decide(foundInStream(stream, right(await historyOf(onePage(stream))), delivery), delivery);

/** A stream after some deliveries, each decided over what was there. */
const streamAfter = async (payloads: readonly JsonObject[]): Promise<readonly RecordedEvent[]> => {
  const stream: RecordedEvent[] = [];
  for (const payload of payloads) {
    const decision = await over(stream, deliveryOf(payload));
    if (decision._tag !== 'NewKey' && decision._tag !== 'OtherFacts') continue;
    const at = { revision: branded<Revision>(stream.length), position: positionAt(10 * stream.length) };
    stream.push(recordedEvent(decision.event, at));
  }
  return stream;
};

const payloads = fc
  .record({
    status: fc.constantFrom('fiatDeemed', 'fiatFailed', 'PayoutSuccess', 'held'),
    utr: fc.constantFrom('', 'U1', 'U2'),
    fiat: fc.constantFrom(1, 2),
    updated_at: fc.constantFrom('0001-01-01T00:00:00Z', '2024-01-01T00:00:00Z'),
  })
  .map((fields) => offRamp({ ...ORDER, ...fields }));

describe('decide', () => {
  it('follows the decision table', async () => {
    const first = offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1' });
    const stream = await streamAfter([first, offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1', fiat: 7 })]);
    for (const [payload, tag, revision] of [
      [offRamp({ ...ORDER, status: 'PayoutSuccess', utr: 'U1' }), 'NewKey', null],
      [first, 'SameFacts', 0],
      [offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1', updated_at: '2024-01-01T00:00:00Z' }), 'SameFacts', 0],
      [offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1', fiat: 8 }), 'OtherFacts', null],
      [offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1', fiat: 7 }), 'KnownOtherFacts', 1],
      [onRamp(ORDER), 'OtherFlow', null],
    ] as const) {
      const decision = await over(stream, deliveryOf(payload));
      const event = 'event' in decision && 'revision' in decision.event ? decision.event : null;
      expect([decision._tag, event?.revision ?? null]).to.deep.equal([tag, revision]);
    }
    expect(decide(null, deliveryOf(first))._tag).to.equal('NewKey');
  });

  it('decides over what is remembered as over the stream, or says that it must be read', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payloads, { minLength: 1, maxLength: 12 }), payloads, async (earlier, last) => {
        const stream = await streamAfter(earlier);
        const delivery = deliveryOf(last);
        const history = right(await historyOf(onePage(stream)));
        const remembered = history === null ? null : foundInMemory(history, delivery);
        if (remembered !== null) expect(decide(remembered, delivery)).to.deep.equal(await over(stream, delivery));
        else {
          const sameKey = stream.find(({ id }) => id === delivery.content.eventId);
          expect(sameKey?.data).to.not.equal(delivery.content.text);
        }
      }),
    );
  });

  it('keeps each key once, and each other facts once, whatever is delivered how often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payloads, { minLength: 1, maxLength: 24 }), async (all) => {
        const stream = await streamAfter([...all, ...all]);
        expect(new Set(stream.map(({ id }) => id)).size).to.equal(stream.length);
        const facts = all
          .map((payload) => orderContent(payload))
          .map((it) => `${it.eventId} ${factsDigest(it.payload)}`);
        expect(stream.length).to.equal(new Set(facts).size);
        for (const payload of all)
          expect((await over(stream, deliveryOf(payload)))._tag).to.be.oneOf(['SameFacts', 'KnownOtherFacts']);
      }),
    );
  });

  it('knows other facts by what they are, whoever signed them, and also those that a ledger of before kept', async () => {
    const first = offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1' });
    const other = { ...first, fiat: 7 };
    const again = deliveryOf({ ...other, updated_at: '2024-01-01T00:00:00Z' });
    const [recorded, ...conflicts] = await streamAfter([first, other]);
    if (recorded === undefined) throw new Error('it is there');
    const at = { revision: branded<Revision>(1), position: positionAt(10) };
    const former = recordedEvent(formerConflict(deliveryOf(other)), at);
    // Digested as it was before 2026-11-23, when `ı` counted as `I`.
    const dotless = { ...first, currency: 'ınr' };
    const { payload } = deliveryOf({ ...first, currency: 'INR', fiat: 5023.5 }).content;
    const formerDotless = recordedEvent(formerConflict(deliveryOf(dotless), factsDigest(payload)), at);
    for (const [stream, delivery] of [
      [[recorded, ...conflicts], again],
      [[recorded, former], again],
      [[recorded, former], deliveryOf(other)],
      [[recorded, formerDotless], deliveryOf({ ...dotless, updated_at: '2024-01-01T00:00:00Z' })],
    ] as const) {
      const decision = await over(stream, delivery);
      expect(decision).to.have.property('_tag', 'KnownOtherFacts');
      expect(decision).to.have.nested.property('event.eventId', stream[1].id);
    }
  });

  it('keeps nothing under one id twice, also where what stands under it can no longer be read', async () => {
    const first = offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1' });
    const other = { ...first, fiat: 7 };
    const damaged = (await streamAfter([first, other])).map((event, i) => (i === 1 ? { ...event, data: '{' } : event));
    expect((await over(damaged, deliveryOf(other)))._tag).to.equal('KnownOtherFacts');
    const signedAnew = deliveryOf({ ...other, updated_at: '2024-01-01T00:00:00Z' });
    expect((await over(damaged, signedAnew))._tag).to.equal('OtherFacts');
  });

  it('takes a damaged event under the same key for one of other facts', async () => {
    const payload = offRamp({ ...ORDER, status: 'fiatDeemed', utr: 'U1' });
    const damaged = (await streamAfter([payload])).map((event) => ({ ...event, data: '{', metadata: '{' }));
    expect((await over(damaged, deliveryOf(payload)))._tag).to.equal('OtherFacts');
  });
});

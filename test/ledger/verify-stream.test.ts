import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { Revision, StreamName } from '../../src/domain/ids.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { readContent } from '../../src/domain/read-content.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { verifyStream } from '../../src/ledger/verify-stream.ts';
import { bodyOf, newOrderId, onRamp, SECRET, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';

describe('verify, of one stream', () => {
  const orderId = newOrderId();
  const event = (status: string, revision: number): RecordedEvent => {
    const body = bodyOf(onRamp({ orderId, status }));
    const content = readContent(body);
    if (content._tag === 'Unreadable') throw new Error(JSON.stringify(content.reasons));
    return { ...recordedEvent(orderEvent(verifiedDelivery(body), content)), revision: branded<Revision>(revision) };
  };
  const found = (events: readonly [RecordedEvent, ...RecordedEvent[]]): readonly string[] =>
    verifyStream({ stream: events[0].stream, events }, () => Buffer.from(SECRET)).failures.map(
      ({ revision, problem }) => `${revision} ${problem}`,
    );

  it('finds revisions that are missing or doubled, and a copy of an event, which is authentic in itself', () => {
    const [first, second] = [event('fiatPending', 0), event('orderReceived', 1)];
    expect(found([first, second])).to.deep.equal([]);
    expect(found([first, { ...second, revision: branded<Revision>(2) }])).to.deep.equal(['2 revision-out-of-order']);
    expect(found([second])).to.deep.equal(['1 revision-out-of-order']);
    expect(found([first, { ...first, revision: branded<Revision>(1) }])).to.deep.equal(['1 event-id-repeated']);
  });

  it('finds a copy in a long stream as in a short one', () => {
    for (const length of [15, 16, 17, 40]) {
      const first = event('status0', 0);
      const others = Array.from({ length: length - 2 }, (_, i) => event(`status${String(i + 1)}`, i + 1));
      const last = branded<Revision>(length - 1);
      const problems = found([first, ...others, { ...(others.at(-1) ?? first), revision: last }]);
      expect(problems, String(length)).to.deep.equal([`${String(last)} event-id-repeated`]);
    }
  });

  it('hands over what it read of an event by its place, also behind an event of another stream', () => {
    const [first, last] = [event('fiatPending', 0), event('completed', 2)];
    const stray = { ...event('orderReceived', 1), stream: branded<StreamName>('order-another') };
    const events = [first, stray, last];
    const { payloads } = verifyStream({ stream: first.stream, events }, () => Buffer.from(SECRET));
    expect(payloads.map((payload) => payload?.status ?? null)).to.deep.equal(['fiatPending', null, 'completed']);
  });
});

import { expect } from 'chai';
import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { parseMetadata } from '../../src/domain/event-metadata.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { EventId, OrderId, RequestId, SecretId, StreamName } from '../../src/domain/ids.ts';
import {
  conflictEvent,
  orderEvent,
  quarantineEvent,
  releaseEvent,
  type EventForStream,
} from '../../src/domain/new-event.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { recordDigest } from '../../src/domain/record-digest.ts';
import { signedBytes } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { orderIds, payloads, spell, spellings } from '../support/arbitraries.ts';
import { bodyOf, offRamp, onRamp, orderContent, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';

/** What every store takes in one event (facts of the stores: 1 MiB), and the largest body that is accepted. */
const MEBIBYTE = 1_048_576;
const LARGEST_BODY = 524_288;

const eventOf = (body: Buffer): EventForStream => {
  const content = readContent(body);
  return content._tag === 'OrderEvent'
    ? orderEvent(verifiedDelivery(body), content)
    : quarantineEvent(verifiedDelivery(body), content.reasons, content.orderId);
};

const sizeOf = ({ event, stream }: EventForStream): number =>
  event.data.length +
  event.metadata.length +
  Math.ceil((event.rawBody?.length ?? 0) / 3) * 4 +
  2 * event.type.length +
  stream.length;

const filledTo = (bytes: number, before: string, filling: string, after: string): Buffer => {
  const count = Math.floor((bytes - Buffer.byteLength(before + after)) / Buffer.byteLength(filling));
  return Buffer.from(before + filling.repeat(count) + after);
};

const conflictOf = (fiat: number, blanks: string): EventForStream => {
  const body = JSON.stringify(onRamp({ orderId: 'o', fiat })) + blanks;
  const content = orderContent(body);
  return conflictEvent(verifiedDelivery(bodyOf(body)), content, factsDigest(content.payload));
};

describe('an event of a delivery', () => {
  it('gives the signed bytes back, whatever they are', () => {
    const bodies = fc.oneof(
      fc.tuple(payloads, spellings).map(([payload, choices]) => bodyOf(spell(payload, choices))),
      payloads.map((payload) => bodyOf(`\uFEFF${spell(payload, [0])}`)),
      payloads.map((payload) => bodyOf(spell(payload, [0]))),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const event = recordedEvent(eventOf(body));
        expect(signedBytes(event).equals(body)).to.equal(true);
        expect(parseMetadata(event.metadata)?.bodySha256).to.equal(sha256(body));
      }),
    );
  });

  it('keeps the raw body exactly where re-serialising the data would not give it', () => {
    fc.assert(
      fc.property(payloads, spellings, fc.boolean(), (payload, choices, native) => {
        const text = spell(payload, native ? [0] : choices);
        const { event } = eventOf(bodyOf(text));
        const again = JSON.stringify(JSON.parse(event.data.toString()));
        expect(event.rawBody === null).to.equal(JSON.stringify(JSON.parse(text)) === text);
        if (event.rawBody === null) expect(again).to.equal(text);
      }),
    );
  });

  it('has the payload as data, with the digits that came', () => {
    const text = JSON.stringify(offRamp({ orderId: 'o' }))
      .replace('5023.5', ' 1051823.6300000001')
      .replace('61.25', '1E2');
    const data = eventOf(bodyOf(text)).event.data.toString();
    expect(data).to.equal(text.replace(' 1051823', '1051823'));
  });

  it('fits every store, up to the largest body that is accepted', () => {
    const order = JSON.stringify(onRamp({ orderId: '\u0001'.repeat(200) })).slice(0, -1);
    const bodies = [
      filledTo(LARGEST_BODY, `${order},"a":"`, 'x', '"}'),
      filledTo(LARGEST_BODY, `${order}, "a":"`, 'x', '"}'),
      filledTo(LARGEST_BODY, `${order}, "a":[0`, ',1e20', ']}'),
      filledTo(LARGEST_BODY, `${order}, "a":"`, '\\u0001', '"}'),
      filledTo(LARGEST_BODY, `${order}, "a":"`, '😀', '"}'),
      filledTo(LARGEST_BODY, '', '\0', ''),
      filledTo(LARGEST_BODY, '', '[', ''),
      filledTo(LARGEST_BODY, `{"${'\\u0000'.repeat(40_000)}":1,"${'\\u0000'.repeat(40_000)}":2`, ' ', '}'),
    ];
    for (const body of bodies) {
      const event = eventOf(body);
      expect(sizeOf(event)).to.be.below(MEBIBYTE);
      expect(signedBytes(recordedEvent(event)).equals(body)).to.equal(true);
    }
    const middling = filledTo(LARGEST_BODY / 2, `${order}, "a":"`, 'x', '"}');
    expect(eventOf(middling).event.data.length).to.be.greaterThan(LARGEST_BODY / 2 - 100);
  });

  it('stands in the stream of its order, or of its body where none could be read', () => {
    fc.assert(
      fc.property(orderIds, (orderId) => {
        const event = recordedEvent(eventOf(bodyOf(onRamp({ orderId, status: 'completed' }))));
        expect([event.stream, event.type]).to.deep.equal([`order-${orderId}`, 'OnRampCompleted']);
        expect(parseMetadata(event.metadata)?.$correlationId).to.equal(orderId);
      }),
    );
    const body = bodyOf({ orderId: 'o' });
    const event = recordedEvent(eventOf(body));
    expect([event.stream, event.type]).to.deep.equal([`quarantine-${sha256(body)}`, 'DeliveryQuarantined']);
    expect(JSON.parse(event.data)).to.have.all.keys('reasons', 'orderId');
    expect(parseMetadata(event.metadata)?.$correlationId).to.equal('o');
    expect(parseMetadata(recordedEvent(eventOf(bodyOf('?'))).metadata)?.$correlationId).to.equal(sha256(bodyOf('?')));
  });

  it('is one event for the same delivery of other facts, and another for each other signature', () => {
    const [one, again, signedAnew, other] = [
      conflictOf(1, ''),
      conflictOf(1, ''),
      conflictOf(1, ' '),
      conflictOf(2, ''),
    ];
    expect([one.stream, one.event.type]).to.deep.equal(['order-o', 'ConflictingDelivery']);
    expect(again.event.id).to.equal(one.event.id);
    expect(new Set([one, signedAnew, other].map(({ event }) => event.id)).size).to.equal(3);
    expect(one.event.id).not.to.equal(orderContent(onRamp({ orderId: 'o', fiat: 1 })).eventId);
  });

  it('says of a release what became of the body, beside its exact bytes', () => {
    const body = bodyOf(` ${JSON.stringify(onRamp({ orderId: 'o' }))}`);
    const verified = verifiedDelivery(body);
    const { eventId } = orderContent(body.toString());
    const [releasedAt, requestId] = [instantOf(Date.UTC(2024, 1, 1)), branded<RequestId>('request-00000002')];
    const orderId = branded<OrderId>('o');
    const event = recordedEvent(
      releaseEvent(verified, { releasedAt, requestId }, { eventId, outcome: 'recorded', orderId }),
    );
    expect([event.stream, event.type]).to.deep.equal([`quarantine-${sha256(body)}`, 'QuarantineReleased']);
    expect(event.data).to.equal(`{"eventId":"${eventId}","outcome":"recorded","orderId":"o"}`);
    expect(signedBytes(event).equals(body)).to.equal(true);
    const { signature, secretId, bodySha256 } = verified;
    expect(parseMetadata(event.metadata)).to.include({
      signature,
      secretId,
      bodySha256,
      receivedAt: releasedAt,
      requestId,
      $correlationId: 'o',
    });
  });

  it('carries a digest that a change in any part of it changes', () => {
    const body = bodyOf(onRamp({ orderId: 'o' }));
    const verified = verifiedDelivery(body);
    const { stream, event } = orderEvent(verified, orderContent(body.toString()));
    const stored = parseMetadata(event.metadata.toString());
    if (stored === null) throw new Error('unreadable metadata');
    const { recordSha256, ...metadata } = stored;
    const digest = (over: Partial<typeof metadata> = {}): string =>
      recordDigest(stream, event.type, event.id, sha256(event.data), { ...metadata, ...over }, false);
    expect(digest()).to.equal(recordSha256);
    const other = sha256('other');
    const changed = [
      recordDigest(branded<StreamName>('order-p'), event.type, event.id, sha256(event.data), metadata, false),
      recordDigest(stream, 'OnRampExpired', event.id, sha256(event.data), metadata, false),
      recordDigest(stream, event.type, branded<EventId>(other), sha256(event.data), metadata, false),
      recordDigest(stream, event.type, event.id, other, metadata, false),
      recordDigest(stream, event.type, event.id, sha256(event.data), metadata, true),
      digest({ receivedAt: branded('2023-03-01T06:31:09.001Z') }),
      digest({ signature: metadata.signature.toUpperCase() }),
      digest({ secretId: branded<SecretId>('secondary') }),
      digest({ bodySha256: other }),
      digest({ requestId: branded<RequestId>('request-00000002') }),
      digest({ $correlationId: branded<OrderId>('p') }),
    ];
    expect(new Set([...changed, recordSha256]).size).to.equal(changed.length + 1);
  });
});

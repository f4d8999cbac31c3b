import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import { parseMetadata, type EventMetadata, metadataText } from '../../src/domain/event-metadata.ts';
import { factsDigest } from '../../src/domain/facts-digest.ts';
import type { EventId, SecretId, Sha256, StreamName } from '../../src/domain/ids.ts';
import { conflictEvent, orderEvent, quarantineEvent, releaseEvent } from '../../src/domain/new-event.ts';
import type { ReleaseData } from '../../src/domain/quarantine-data.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { recordDigest } from '../../src/domain/record-digest.ts';
import { signedBytes, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { verifyEvent, type SecretKeyById } from '../../src/ledger/verify-event.ts';
import { payloads } from '../support/arbitraries.ts';
import { formerConflict } from '../support/former-conflict.ts';
import { bodyOf, onRamp, SECRET, verifiedDelivery } from '../support/payloads.ts';
import { recordedEvent } from '../support/recorded-event.ts';

const secrets: SecretKeyById = (id) => (id === 'primary' ? Buffer.from(SECRET) : null);

const orderContentOf = (body: Buffer): Parameters<typeof orderEvent>[1] => {
  const content = readContent(body);
  if (content._tag === 'Unreadable') throw new Error(JSON.stringify(content.reasons));
  return content;
};

const anOrderEvent = (body: Buffer): RecordedEvent =>
  recordedEvent(orderEvent(verifiedDelivery(body), orderContentOf(body)));

const aConflict = (body: Buffer): RecordedEvent => {
  const content = orderContentOf(body);
  return recordedEvent(conflictEvent(verifiedDelivery(body), content, factsDigest(content.payload)));
};

/** As ledgers before 2026-11-26 wrote it. */
const aFormerConflict = (body: Buffer): RecordedEvent =>
  recordedEvent(formerConflict({ verified: verifiedDelivery(body), content: orderContentOf(body) }));

const aQuarantined = (body: Buffer): RecordedEvent =>
  recordedEvent(quarantineEvent(verifiedDelivery(body), [{ path: '', message: 'is no JSON' }], null));

const released = (body: Buffer, release: ReleaseData): RecordedEvent => {
  const verified = verifiedDelivery(body);
  return recordedEvent(
    releaseEvent(verified, { releasedAt: verified.receivedAt, requestId: verified.requestId }, release),
  );
};

/** What the release of a readable body says, for each outcome. */
const releaseOf = (body: Buffer, outcome: ReleaseData['outcome']): ReleaseData => {
  const { orderId } = orderContentOf(body).payload;
  return { eventId: (outcome === 'conflict' ? aConflict(body) : anOrderEvent(body)).id, outcome, orderId };
};

const aRelease = (body: Buffer, outcome: ReleaseData['outcome'] = 'recorded'): RecordedEvent =>
  released(body, releaseOf(body, outcome));

const plain = bodyOf(onRamp());
const spaced = Buffer.from(JSON.stringify(onRamp(), null, 2));
const events: Readonly<Record<string, RecordedEvent>> = {
  'order event': anOrderEvent(plain),
  'order event beside its raw body': anOrderEvent(spaced),
  conflict: aConflict(plain),
  'conflict of before': aFormerConflict(plain),
  'quarantined body': aQuarantined(Buffer.from('no json')),
  'release of a quarantined body': aRelease(plain),
};

const metadataOf = (event: RecordedEvent): EventMetadata => {
  const metadata = parseMetadata(event.metadata);
  if (metadata === null) throw new Error('no metadata');
  return metadata;
};

/** Changes an event and makes its record digest anew, as one who can write to the store would. */
const forged = (
  event: RecordedEvent,
  change: Partial<RecordedEvent>,
  about: Partial<EventMetadata> = {},
): RecordedEvent => {
  const changed = { ...event, ...change };
  const metadata = { ...metadataOf(event), bodySha256: sha256(signedBytes(changed)), ...about };
  const { stream, type, id, data, rawBody } = changed;
  const recordSha256 = recordDigest(stream, type, id, sha256(data), metadata, rawBody !== null);
  return { ...changed, metadata: metadataText({ ...metadata, recordSha256 }) };
};

describe('verifyEvent', () => {
  for (const [kind, event] of Object.entries(events)) {
    it(`proves an untouched ${kind}`, () => {
      expect(verifyEvent(event, secrets)).to.deep.equal({ verified: 'yes', problems: [] });
    });

    it(`says of a ${kind} that the secret is unknown, where everything else holds`, () => {
      expect(verifyEvent(event, () => null)).to.deep.equal({ verified: 'unknown-secret', problems: [] });
    });

    it(`finds one changed bit of the signed bytes of a ${kind}, with or without the secret`, () => {
      fc.assert(
        fc.property(fc.nat(), fc.nat(7), (at, bit) => {
          const bytes = Buffer.from(signedBytes(event));
          const place = at % bytes.length;
          bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
          const changed = { ...event, ...(event.rawBody === null ? { data: bytes.toString() } : { rawBody: bytes }) };
          expect(verifyEvent(changed, secrets).problems).to.include.members([
            'signature-mismatch',
            'body-digest-mismatch',
          ]);
          expect(verifyEvent(changed, () => null).verified).to.equal('no');
        }),
        { numRuns: 50 },
      );
    });

    it(`finds a ${kind} that was put elsewhere or renamed, digests and all`, () => {
      const stream = branded<StreamName>('order-other');
      const id = branded<EventId>('00000000-0000-5000-8000-000000000000');
      expect(verifyEvent({ ...event, stream }, secrets).problems).to.deep.equal([
        'record-digest-mismatch',
        'stream-mismatch',
      ]);
      expect(verifyEvent(forged(event, { stream }), secrets).problems).to.deep.equal(['stream-mismatch']);
      expect(verifyEvent(forged(event, { id }), secrets).problems).to.deep.equal(['event-id-mismatch']);
    });

    it(`finds changed metadata of a ${kind}`, () => {
      const receivedAt = metadataOf(event).receivedAt.replace('2023', '2022');
      const changed = event.metadata.replace(metadataOf(event).receivedAt, receivedAt);
      expect(verifyEvent({ ...event, metadata: changed }, secrets).problems).to.deep.equal(['record-digest-mismatch']);
      const signature = 'f'.repeat(64);
      expect(verifyEvent(forged(event, {}, { signature }), secrets).problems).to.deep.equal([
        'signature-mismatch',
        // The id of a conflict is over it.
        ...(kind === 'conflict' ? ['event-id-mismatch'] : []),
      ]);
      const bodySha256 = branded<Sha256>('0'.repeat(64));
      expect(verifyEvent(forged(event, {}, { bodySha256 }), secrets).problems).to.deep.equal(['body-digest-mismatch']);
      expect(verifyEvent({ ...event, metadata: '{}' }, secrets)).to.deep.equal({
        verified: 'no',
        problems: ['metadata-unreadable'],
      });
    });
  }

  it('finds a type that the status does not give', () => {
    const type = 'OnRampCompleted';
    expect(verifyEvent(forged(anOrderEvent(plain), { type }), secrets).problems).to.deep.equal(['type-mismatch']);
  });

  it('finds data that say something else than the signed bytes beside them', () => {
    const data = anOrderEvent(spaced).data.replace('"fiat":100', '"fiat":900');
    expect(verifyEvent(forged(anOrderEvent(spaced), { data }), secrets).problems).to.deep.equal(['data-mismatch']);
  });

  it('finds a release that says something else than the signed bytes give', () => {
    const other = bodyOf(onRamp());
    const release = releaseOf(plain, 'recorded');
    const unfit: readonly unknown[] = [
      { ...release, eventId: anOrderEvent(other).id },
      { ...release, eventId: aConflict(plain).id },
      { ...release, outcome: 'conflict' },
      { ...releaseOf(plain, 'conflict'), outcome: 'duplicate' },
      { ...release, orderId: orderContentOf(other).payload.orderId },
      { ...release, outcome: 'quarantined' },
      { ...release, note: 'more' },
      { orderId: release.orderId },
      null,
    ];
    for (const said of unfit) {
      const data = JSON.stringify(said);
      const { problems } = verifyEvent(forged(aRelease(plain), { data }), secrets);
      expect(problems, JSON.stringify(said)).to.deep.equal(['data-mismatch']);
    }
    const withoutBody = forged(aRelease(plain), { rawBody: null });
    expect(verifyEvent(withoutBody, secrets).problems).to.include('signature-mismatch');
  });

  it('takes the word of a release that it is a conflict which another delivery brought, but never that of its own order event', () => {
    const { orderId } = orderContentOf(plain).payload;
    const brought = aConflict(bodyOf({ ...orderContentOf(plain).payload, updated_at: '2024-01-01T00:00:00Z' }));
    expect(brought.id).not.to.equal(aConflict(plain).id);
    for (const { id: eventId } of [aConflict(plain), aFormerConflict(plain), brought])
      expect(verifyEvent(released(plain, { eventId, outcome: 'conflict', orderId }), secrets).problems).to.deep.equal(
        [],
      );
    const itself = released(plain, { eventId: anOrderEvent(plain).id, outcome: 'conflict', orderId });
    expect(verifyEvent(itself, secrets).problems).to.deep.equal(['data-mismatch']);
  });

  it('takes the word of a release whose body today’s rules can’t read, if it is one', () => {
    const release = released(Buffer.from('no json'), releaseOf(plain, 'recorded'));
    expect(verifyEvent(release, secrets)).to.deep.equal({ verified: 'yes', problems: [] });
    const data = '{}';
    expect(verifyEvent(forged(release, { data }), secrets).problems).to.deep.equal(['data-mismatch']);
  });

  it('finds a quarantined body that is passed off as a release, and the other way round', () => {
    const { id, data, type } = aRelease(plain);
    expect(verifyEvent(forged(aQuarantined(plain), { type }), secrets).problems).to.deep.equal([
      'event-id-mismatch',
      'data-mismatch',
    ]);
    const quarantined = forged(aQuarantined(plain), { id, data });
    expect(verifyEvent(quarantined, secrets).problems).to.deep.equal(['event-id-mismatch']);
  });

  it('finds an order event whose signed bytes are none', () => {
    const event = aQuarantined(Buffer.from('no json'));
    const type = 'OnRampFiatPending';
    expect(verifyEvent(forged(event, { type }), secrets).problems).to.deep.equal(['payload-unreadable']);
  });

  it('knows a signature in any letter case', () => {
    for (const event of [anOrderEvent(plain), aConflict(plain)]) {
      const signature = metadataOf(event).signature.toUpperCase();
      expect(verifyEvent(forged(event, {}, { signature }), secrets).verified).to.equal('yes');
    }
  });

  it('takes nothing for the signature that only begins like it, goes on behind it, or has the same low bytes', () => {
    const event = anOrderEvent(plain);
    const { signature } = metadataOf(event);
    expect(verifyEvent(event, secrets).verified).to.equal('yes');
    const others = [
      signature.slice(0, -1),
      `${signature}0`,
      // The last letter takes two bytes, of which the second has no room.
      `${signature.slice(0, -1)}\u00e9`,
      String.fromCharCode(
        ...Buffer.from(signature)
          .values()
          .map((byte) => byte + 0x100),
      ),
      `${signature.slice(0, -1)}${String.fromCharCode(signature.charCodeAt(63) + 0x100)}`,
    ];
    for (const other of others) {
      // What was compared before is the right one.
      verifyEvent(event, secrets);
      const { problems } = verifyEvent(forged(event, {}, { signature: other }), secrets);
      expect(problems, other).to.deep.equal(['signature-mismatch']);
    }
  });

  it('asks for the secret by the id that the event names', () => {
    const asked: SecretId[] = [];
    verifyEvent(anOrderEvent(plain), (id) => {
      asked.push(id);
      return null;
    });
    expect(asked).to.deep.equal(['primary']);
  });

  it('proves whatever the ledger makes of a readable payload', () => {
    fc.assert(
      fc.property(payloads, fc.constantFrom(0, 2), (payload, indent) => {
        const body = Buffer.from(JSON.stringify(payload, null, indent));
        expect(verifyEvent(anOrderEvent(body), secrets).problems).to.deep.equal([]);
        expect(verifyEvent(aConflict(body), secrets).problems).to.deep.equal([]);
        expect(verifyEvent(aFormerConflict(body), secrets).problems).to.deep.equal([]);
        for (const outcome of ['recorded', 'duplicate', 'conflict'] as const) {
          expect(verifyEvent(aRelease(body, outcome), secrets).problems).to.deep.equal([]);
        }
      }),
    );
  });

  it('proves what was kept as a conflict when other letters were taken for those of a currency', () => {
    const body = bodyOf(onRamp({ orderId: 'o', currency: 'ınr' }));
    const content = orderContentOf(body);
    // The digest that was made of it then is that of `INR` today.
    const then = factsDigest({ ...content.payload, currency: 'INR' });
    const delivery = { verified: verifiedDelivery(body), content };
    const { event, stream } = formerConflict(delivery, then);
    // What is kept today is kept by the digest of today.
    const mixed = recordedEvent(conflictEvent(delivery.verified, content, then));
    expect(verifyEvent(mixed, secrets).problems).to.deep.equal(['event-id-mismatch']);
    expect(verifyEvent(recordedEvent({ event, stream }), secrets).problems).to.deep.equal([]);
    expect(verifyEvent(aConflict(body), secrets).problems).to.deep.equal([]);
    const release = { eventId: event.id, outcome: 'conflict', orderId: content.payload.orderId } as const;
    expect(verifyEvent(released(body, release), secrets).problems).to.deep.equal([]);
    const plain = verifiedDelivery(bodyOf(onRamp({ orderId: 'o' })));
    const facts = factsDigest({ ...content.payload, currency: 'USD' });
    for (const unfit of [conflictEvent(plain, content, facts), formerConflict({ verified: plain, content }, facts)])
      expect(verifyEvent(recordedEvent(unfit), secrets).problems).to.include('event-id-mismatch');
  });
});

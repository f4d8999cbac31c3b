import { expect } from 'chai';
import fc from 'fast-check';
import { branded } from '../../../src/domain/brand.ts';
import { parseMetadata } from '../../../src/domain/event-metadata.ts';
import type { StreamName } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { orderEvent } from '../../../src/domain/new-event.ts';
import { readContent } from '../../../src/domain/read-content.ts';
import type { NewEvent, RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { toWire, wireSize } from '../../../src/event-store/eventstoredb/wire-event.ts';
import { RecentOrders } from '../../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../../src/ledger/record-delivery.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { eventLog } from '../../support/eventstoredb/event-log.ts';
import { bodyOf, offRamp, onRamp, orderContent, verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { allOf, append, aStream, openScene, there } from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const RECORDED_AT = 1_700_000_000_123;

/** Texts that reading and writing JSON again would change, or that are none. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['digits beyond a double', '{"fiat":1.10,"wei":123456789012345678901234567890}'],
  ['blanks', '{ "a" : 1 }\n'],
  ['a key twice', '{"a":1,"a":2}'],
  ['keys that are numbers', '{"b":1,"2":1,"1":1}'],
  ['__proto__', '{"__proto__":{"a":1},"b":[]}'],
  ['minus zero and exponents', '{"a":-0,"b":1e3,"c":1E400}'],
  ['escapes', '{"a":"\\u00e9\\/\\ud800"}'],
  ['a bare text', '"a"'],
  ['a bare number', '1'],
  ['null', 'null'],
  ['a list', '[1,{"a":null}]'],
  ['malformed JSON', '{"a":'],
  ['nothing', ''],
];

const texts = fc.oneof(fc.json(), fc.string({ unit: anyCharacter }), fc.constantFrom(...TEXTS.map(([, text]) => text)));

describe('EventStoreDB facts: exact bytes', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene({ log: eventLog({ now: () => RECORDED_AT }) });
    stream = aStream();
  });
  afterEach(() => scene.close());

  /** An event as it comes back by each way of reading. */
  const comesBack = async (event: NewEvent): Promise<void> => {
    const store = scene.command();
    const to = aStream();
    const { position } = await append(store, to, 'none', event);
    const read: readonly RecordedEvent[] = [
      ...right(await store.readStream(to)()),
      ...right(await store.readAt([position])()),
      ...(await allOf(store)).slice(-1),
    ];
    expect(read).to.have.length(3);
    for (const { data, metadata, rawBody } of read) {
      expect([data, metadata]).to.deep.equal([event.data.toString(), event.metadata.toString()]);
      expect(rawBody?.toString('hex')).to.equal(event.rawBody?.toString('hex'));
    }
  };

  it('BigInt or undefined inside data is a promise that never settles: what is handed over was parsed from a text', () => {
    fc.assert(
      fc.property(texts, texts, (data, metadata) => {
        const wire = toWire(anEvent({ data: Buffer.from(data), metadata: Buffer.from(metadata) }));
        const text = wire.contentType === 'application/json' ? JSON.stringify(wire.data) : Buffer.from(wire.data);
        expect(text.toString()).to.equal(Buffer.from(data).toString());
        expect(JSON.parse(JSON.stringify(wire.metadata))).to.deep.equal(wire.metadata);
      }),
    );
  });

  for (const [what, text] of TEXTS) {
    it(`JSON data is stringified and parsed by the client: ${what} comes back byte for byte, as data and as metadata`, async () => {
      await comesBack(anEvent({ data: Buffer.from(text), metadata: Buffer.from(text) }));
      await comesBack(
        anEvent({ data: Buffer.from(text), metadata: Buffer.from(text), rawBody: Buffer.from([0, 255]) }),
      );
    });
  }

  it('a binary event comes back byte for byte: any JSON text, any text, any raw body', async () => {
    const rawBodies = fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes)));
    await fc.assert(
      fc.asyncProperty(texts, texts, rawBodies, (data, metadata, rawBody) =>
        comesBack(anEvent({ data: Buffer.from(data), metadata: Buffer.from(metadata), rawBody })),
      ),
      { numRuns: 40 },
    );
  });

  it('the raw client reads as JSON what survives it, and as bytes what would not', async () => {
    const store = scene.command();
    const plain = anEvent({ data: Buffer.from('{"a":[1]}'), metadata: Buffer.from('{"$correlationId":"c"}') });
    await append(store, stream, 'none', plain, anEvent({ data: Buffer.from('{"a":1.10}') }));
    const read: unknown[] = [];
    for await (const { event } of scene.client().readStream(there(stream))) {
      read.push(event?.isJson === true ? [event.data, event.metadata] : Buffer.from(event?.data ?? []).toString());
    }
    expect(read).to.deep.equal([[{ a: [1] }, { $correlationId: 'c' }], '{"a":1.10}']);
  });

  it("a delivery's metadata has its members' names there, as it had in earlier versions, and comes back as it was appended", async () => {
    const store = scene.command();
    const body = bodyOf(onRamp());
    const { event } = orderEvent(verifiedDelivery(body), orderContent(body.toString()));
    await comesBack(event);
    await comesBack({ ...event, rawBody: Buffer.from('{ }') });
    const names = JSON.stringify(parseMetadata(event.metadata.toString()));
    const ofBefore = { ...event, metadata: Buffer.from(names) };
    const written = await append(store, stream, 'none', ofBefore);
    for (const { metadata } of scene.double.log.userEvents()) {
      expect(Buffer.from(metadata).toString().replace(',"rawBody":"eyB9"', '')).to.equal(names);
    }
    const [read] = right(await store.readStream(stream)());
    expect(read?.metadata).to.equal(event.metadata.toString());
    // The same once more is the same event, whichever of the two versions sends it again.
    for (const again of [ofBefore, event]) expect(await append(store, stream, 'none', again)).to.deep.equal(written);
  });

  it('what counts against the largest append is what is sent, names and all', () => {
    const body = bodyOf(onRamp());
    const { event } = orderEvent(verifiedDelivery(body), orderContent(body.toString()));
    for (const each of [event, { ...event, rawBody: Buffer.from('{ }') }]) {
      const { metadata, type } = toWire(each);
      const sent = event.data.length + JSON.stringify(metadata).length + 2 * type.length;
      expect(wireSize(each)).to.equal(sent);
    }
  });

  it("metadata that has members of the adapter's own names comes back as it was", async () => {
    for (const text of ['{"rawBody":"eA=="}', '{"metadataText":"{}"}', '{"rawBody":1,"metadataText":2,"x":3}']) {
      await comesBack(anEvent({ metadata: Buffer.from(text) }));
      await comesBack(anEvent({ metadata: Buffer.from(text), rawBody: Buffer.from('body') }));
    }
  });

  it("a recorded event has created as a date: the time of recording is the server's, to the millisecond", async () => {
    const store = scene.command();
    await append(store, stream, 'none', anEvent());
    expect(right(await store.readStream(stream)())[0]?.recordedAt).to.equal(instantOf(RECORDED_AT));
  });

  it('no $ at the start of stream names, event types or metadata keys, but for $correlationId', async () => {
    const record = recordDelivery({ store: scene.command(), recent: new RecentOrders(10), quarantined: new Set() });
    const bodies = [
      bodyOf(onRamp({ orderId: '$order' })),
      bodyOf(offRamp({ orderId: '$order', status: '$status' })),
      bodyOf('{"$x":'),
    ];
    for (const body of bodies) right(await record({ verified: verifiedDelivery(body), content: readContent(body) })());
    const written = scene.double.log.userEvents();
    expect(written).to.have.length(bodies.length);
    for (const event of written) {
      const metadata: unknown = JSON.parse(Buffer.from(event.metadata).toString());
      if (typeof metadata !== 'object' || metadata === null) throw new Error('its metadata is no object');
      const names = [event.stream, event.type, ...Object.keys(metadata)];
      expect(names.filter((name) => name.startsWith('$'))).to.deep.equal(['$correlationId']);
    }
  });

  it('stream names of any characters and a million letters work, case-sensitive, not normalised', async () => {
    const store = scene.command();
    const rest = ['a', 'A', 'é', 'e\u0301', '/%2F?#', '😀\n\t', '\u{10ffff}', 'x'.repeat(1_000_000)];
    const names = rest.map((each) => branded<StreamName>(`order-${each}`));
    for (const name of names) await append(store, name, 'none', anEvent());
    expect((await allOf(store)).map((event) => event.stream)).to.deep.equal(names);
    for (const name of names) expect(right(await store.readStream(name)())).to.have.length(1);
  });
});

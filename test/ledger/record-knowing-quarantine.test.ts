import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { quarantineStream } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordKnowingQuarantine } from '../../src/ledger/record-knowing-quarantine.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { arrived, putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';

describe('recording with what is known of the quarantine', () => {
  const scene = () => {
    const store = inMemoryEventStore(() => instantOf(0));
    const quarantine = new KnownQuarantine();
    // What others write is not seen, so that nothing is known of all of it.
    quarantine.follow(false);
    return { store, quarantine, record: recordKnowingQuarantine({ store, recent: new RecentOrders(0), quarantine }) };
  };
  const delivered = (body: Buffer) => ({ verified: arrived(body), content: readContent(body) });

  it('records what is not there without knowing all of it', async () => {
    const { record } = scene();
    expect(right(await record(delivered(bodyOf(onRamp())))()).outcome).to.equal('recorded');
    expect(right(await record(delivered(Buffer.from('no JSON')))()).outcome).to.equal('quarantined');
  });

  it('gives a delivery up for now where its own stream can not be read, and writes nothing', async () => {
    const { store, quarantine } = scene();
    const away = { _tag: 'StoreUnavailable', detail: 'away' } as const;
    const cutOff = { ...store, readStream: () => TE.left(away) };
    const record = recordKnowingQuarantine({ store: cutOff, recent: new RecentOrders(0), quarantine });
    expect(await record(delivered(bodyOf(onRamp())))()).to.deep.equal(E.left(away));
    expect(store.recorded()).to.deep.equal([]);
  });

  for (const isFollowed of [false, true]) {
    it(`releases what lies there, ${isFollowed ? 'once all of it is known' : 'before all of it is known'}`, async () => {
      const { store, quarantine, record } = scene();
      const body = bodyOf(onRamp());
      const { bodySha256 } = await putAway(store, body.toString());
      quarantine.follow(isFollowed);
      if (isFollowed) right(await quarantine.load(store)());
      expect(right(await record(delivered(body))()).outcome).to.equal('recorded');
      const released = right(await store.readStream(quarantineStream(bodySha256))());
      expect(released.map(({ type }) => type)).to.deep.equal(['DeliveryQuarantined', 'QuarantineReleased']);
    });
  }
});

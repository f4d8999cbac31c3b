import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
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
  const scene = (withinMs?: number) => {
    const store = inMemoryEventStore(() => instantOf(0));
    const quarantine = new KnownQuarantine();
    quarantine.follow(false);
    return {
      store,
      quarantine,
      record: recordKnowingQuarantine({ store, recent: new RecentOrders(0), quarantine }, withinMs),
    };
  };
  const delivered = (body: Buffer) => ({ verified: arrived(body), content: readContent(body) });

  it('gives a delivery up for now while the quarantine is not to be had, and writes nothing', async () => {
    const { store, record } = scene(5);
    const recorded = await record(delivered(bodyOf(onRamp())))();
    expect(E.isLeft(recorded) && recorded.left._tag).to.equal('StoreUnavailable');
    expect(store.recorded()).to.deep.equal([]);
  });

  it('lets a delivery wait for it, and releases what lies there', async () => {
    const { store, quarantine, record } = scene();
    const body = bodyOf(onRamp());
    const { bodySha256 } = await putAway(store, body.toString());
    const recording = record(delivered(body))();
    quarantine.follow(true);
    expect(right(await recording).outcome).to.equal('recorded');
    const released = right(await store.readStream(quarantineStream(bodySha256))());
    expect(released.map(({ type }) => type)).to.deep.equal(['DeliveryQuarantined', 'QuarantineReleased']);
  });
});

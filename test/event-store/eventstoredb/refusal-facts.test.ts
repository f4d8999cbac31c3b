import { UnavailableError, UnknownError, WrongExpectedVersionError } from '@eventstore/db-client';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import type { EventId, StreamName } from '../../../src/domain/ids.ts';
import type { NewEvent } from '../../../src/domain/recorded-event.ts';
import { openEventStoreDb } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { storeFailure } from '../../../src/event-store/eventstoredb/store-failure.ts';
import { appendWith, rejection, testEvent } from '../../support/eventstoredb/double-with-client.ts';
import type { Refusal } from '../../support/eventstoredb/faults.ts';
import { right } from '../../support/right.ts';
import { anEvent, someEvents } from '../../support/stored-events.ts';
import {
  allOf,
  answer,
  append,
  aStream,
  at,
  eventually,
  idsOf,
  lostRace,
  openScene,
  proposed,
  SHORT,
  stores,
  there,
  unavailableDetail,
  WAIT_MS,
} from './store-scene.ts';
import type { StoreScene } from './store-scene.ts';

const MIB = 1_048_576;

/** An event that is so large on the wire, all counted. */
const anEventOf = (bytes: number, over: Partial<NewEvent> = {}): NewEvent => {
  const event = anEvent({ metadata: Buffer.from('{"requestId":"r"}'), ...over });
  const rest = event.metadata.length + 2 * event.type.length + '{"a":""}'.length;
  return { ...event, data: Buffer.from(`{"a":"${'x'.repeat(bytes - rest)}"}`) };
};

describe('EventStoreDB facts: refusals and failures', () => {
  let scene: StoreScene;
  let stream: StreamName;
  beforeEach(async () => {
    scene = await openScene();
    stream = aStream();
  });
  afterEach(() => scene.close());

  /** An append that must be refused for good before it is sent: a fault that would meet it stays unmet. */
  const refusedUnsent = async (...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> => {
    const { faults } = scene.double;
    faults.clear();
    faults.refuseAppends(1, { _tag: 'AccessDenied' }, { performed: true });
    expect(await answer(scene.command(), stream, 'none', ...events)).to.include({ _tag: 'AppendRefused' });
    expect(faults.pending()).to.equal(1);
    faults.clear();
  };

  it('WrongExpectedVersionError has an empty message; actualVersion is a bigint or no_stream: told as a revision or none', async () => {
    const store = scene.command();
    const error = await rejection(scene.appendRaw(stream, 4n, anEvent()));
    expect(error).to.be.instanceOf(WrongExpectedVersionError);
    expect(error).to.include({ message: '', actualVersion: 'no_stream' });
    expect(await answer(store, stream, at(4), anEvent())).to.deep.equal(lostRace('none'));
    await append(store, stream, 'none', ...someEvents(3));
    expect(await rejection(scene.appendRaw(stream, 4n, anEvent()))).to.include({ message: '', actualVersion: 2n });
    for (const expected of ['none', at(0), at(4)] as const) {
      expect(await answer(store, stream, expected, anEvent())).to.deep.equal(lostRace(at(2)));
    }
  });

  for (const _tag of ['NotReady', 'Busy', 'Unavailable', 'AccessDenied'] as const) {
    it(`"Server is not ready", "busy", unavailable, access denied pass: after ${_tag} the same append is sent again, and given up in time`, async () => {
      const store = scene.command({ ...SHORT, withinMs: 3_000 });
      const event = anEvent();
      const refusal: Refusal = { _tag };
      scene.double.faults.refuseAppends(2, refusal);
      expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
      expect(scene.double.faults.pending()).to.equal(0);
      scene.double.faults.refuseAll(refusal);
      unavailableDetail(await answer(store, stream, at(0), anEvent()));
      expect(idsOf(scene.written(stream))).to.deep.equal([event.id]);
    });
  }

  it('while it starts or stops: UnknownError "Could not recognize Server Is Not Ready", codes 13 and 14, plain errors: all of them pass', () => {
    for (const error of [
      new UnknownError(undefined, 'Could not recognize Server Is Not Ready'),
      new UnknownError(undefined, 'Could not recognize Server Is Busy'),
      Object.assign(new Error('13 INTERNAL: Received RST_STREAM with code 2'), { code: 13 }),
      Object.assign(new Error('14 UNAVAILABLE: No connection established'), { code: 14 }),
      new UnavailableError(),
      new Error('Failed to discover after 10 attempts.'),
    ]) {
      expect(storeFailure(error), String(error)).to.include({ _tag: 'Unavailable' });
    }
  });

  it('an id that is no UUID, the nil UUID, an empty type: a bad request is a refusal for good, not sent again', async () => {
    for (const over of [
      { id: branded<EventId>('no-uuid') },
      { id: branded<EventId>('00000000-0000-0000-0000-000000000000') },
      { type: '' },
    ]) {
      expect(await answer(scene.command(), stream, 'none', anEvent(over))).to.include({ _tag: 'AppendRefused' });
    }
    expect(storeFailure(new UnknownError(undefined, 'Could not recognize BadRequest'))).to.include({ _tag: 'Refused' });
    expect(scene.written(stream)).to.deep.equal([]);
  });

  it('ids come back in lower case: an event whose id has capitals is known as its own', async () => {
    const event = anEvent();
    const capitals = { ...event, id: branded<EventId>(event.id.toUpperCase()) };
    for (const store of [scene.command(), (await scene.serving()).store]) {
      expect(await append(store, stream, 'none', capitals)).to.include({ revision: 0 });
    }
    expect(idsOf(scene.written(stream))).to.deep.equal([event.id]);
  });

  it('connection refused is a plain error with code 14 or UnavailableError: told as unavailable, without a word of the URL', async () => {
    const open = stores();
    await scene.double.stop();
    try {
      const url = `esdb://ledger:sesame@127.0.0.1:${scene.double.port}?tls=false`;
      const store = open.command(url, SHORT);
      for (const given of [
        await answer(store, stream, 'none', anEvent()),
        E.toUnion(await store.readStream(stream)()),
        E.toUnion(await store.head()()),
      ]) {
        expect(unavailableDetail(given)).to.not.match(/sesame|ledger:|esdb:/);
      }
      const serving = await open.serving(url, SHORT);
      expect(JSON.stringify([serving.store.readiness(), serving.states])).to.not.match(/sesame|ledger:|esdb:/);
      expect(serving.store.readiness().ready).to.equal(false);
    } finally {
      await open.close();
    }
  });

  it('a connection string that can not be read is told without any of it', () => {
    for (const url of ['esdb:/u:sesame@h', 'esdb://u:sesame@h?tlsCAFile=/no/such/ca.crt', 'http://u:sesame@h']) {
      const opened = openEventStoreDb({ url, streamPrefix: '', dataDir: '/nowhere' });
      expect(E.isLeft(opened) ? opened.left : 'opened').to.include({ _tag: 'UrlUnusable' });
      expect(JSON.stringify(opened)).to.not.match(/sesame|no.such/);
    }
  });

  it('not-leader drops the channel and the next call goes to the leader: an append and a read do so by themselves', async () => {
    const leader = await openScene();
    try {
      const follower = scene.double;
      follower.faults.notLeader(leader.double);
      expect(await append(scene.command(), stream, 'none', anEvent())).to.include({ revision: 0 });
      expect([scene.written(stream).length, leader.written(stream).length]).to.deep.equal([0, 1]);
      expect(right(await scene.command().readStream(stream)())).to.have.length(1);
    } finally {
      await leader.close();
    }
  });

  it('access denied is told with what to look at, to appends and reads alike, and passes when the ACL is mended', async () => {
    const store = scene.command({ ...SHORT, withinMs: WAIT_MS });
    await append(store, stream, 'none', anEvent());
    scene.double.faults.refuseAll({ _tag: 'AccessDenied' });
    for (const given of [
      await answer(store, stream, at(0), anEvent()),
      E.toUnion(await store.readStream(stream)()),
      E.toUnion(await store.head()()),
    ]) {
      expect(unavailableDetail(given)).to.match(/access denied.*EVENT_STORE_URL.*ACL/);
    }
    scene.double.faults.serve();
    await append(store, stream, at(0), anEvent());
  });

  it('soft-deleted: reads say not found, no_stream succeeds and continues at the next revision', async () => {
    const { store } = await scene.serving();
    await append(store, stream, 'none', ...someEvents(2));
    scene.double.log.softDelete(there(stream));
    expect(right(await store.readStream(stream)())).to.deep.equal([]);
    const event = anEvent();
    expect(await append(store, stream, 'none', event)).to.deep.equal({
      revision: 2,
      position: String(scene.written(stream)[2]?.position),
    });
    expect(idsOf(right(await store.readStream(stream)()))).to.deep.equal([event.id]);
  });

  it('tombstoned: StreamDeletedError for all: appends are refused for good, reads find nothing, the log is read on', async () => {
    const { store } = await scene.serving();
    const [first, later] = [anEvent(), anEvent()];
    await append(store, stream, 'none', first);
    scene.double.log.tombstone(there(stream));
    const pastPause = { pausesMs: [60_000], withinMs: 60_000 };
    expect(await answer(scene.command(pastPause), stream, 'none', anEvent())).to.include({ _tag: 'AppendRefused' });
    expect(right(await store.readStream(stream)())).to.deep.equal([]);
    await append(store, aStream(), 'none', later);
    expect(idsOf(await allOf(store))).to.include.members([first.id, later.id]);
    expect(idsOf(await allOf(scene.command()))).to.include.members([first.id, later.id]);
    expect(store.readiness()).to.deep.equal({ ready: true });
  });

  it('after a truncation an idempotent repeat succeeds without a position: it is not believed, since its event is gone', async () => {
    const store = scene.command();
    const events = someEvents(2);
    const truncate = (before: number): unknown =>
      scene.double.log.write(`$$${there(stream)}`, [proposed({ data: Buffer.from(`{"$tb":${before}}`) })]);
    await append(store, stream, 'none', ...events);
    truncate(1);
    const raw = await scene.appendRaw(stream, 'no_stream', events[0]);
    expect(raw).to.include({ success: true }).and.not.have.property('position', null);
    expect(await answer(store, stream, 'none', events[0])).to.deep.equal(lostRace(at(1)));
    truncate(2);
    expect(await answer(store, stream, 'none', events[0])).to.include({ _tag: 'AppendRefused' });
  });

  it('largest append: 1 MiB of data, metadata and twice the type together; a byte more is refused before it is sent', async () => {
    await refusedUnsent(anEventOf(MIB + 1));
    expect(await append(scene.command(), stream, 'none', anEventOf(MIB))).to.include({ revision: 0 });
    const raw = appendWith(scene.client())('raw', 'any', [testEvent(undefined, 'x'.repeat(MIB))]);
    expect(await rejection(raw)).to.include({ type: 'maximum-append-size-exceeded' });
  });

  it('batches summed: events that are too large together are refused before they are sent', async () => {
    const half = MIB / 2;
    await refusedUnsent(anEventOf(half), anEventOf(half + 1));
    expect(await append(scene.command(), stream, 'none', anEventOf(half), anEventOf(half))).to.include({ revision: 0 });
  });

  it('the raw body counts with what it takes on the wire: what the sizes let pass the server takes', async () => {
    const store = scene.command();
    for (const length of [0, 1, 2, 3, 100_000]) {
      const rawBody = Buffer.alloc(length, 7);
      const largest = MIB - ',"rawBody":""'.length - rawBody.toString('base64').length;
      await refusedUnsent(anEventOf(largest + 1, { rawBody }));
      expect(await append(store, aStream(), 'none', anEventOf(largest, { rawBody }))).to.include({ revision: 0 });
    }
  });

  it('MaxAppendSizeExceededError of the server, whose limit may be lower, is a refusal for good', async () => {
    const small = await openScene({ maxAppendBytes: 1_000 });
    try {
      expect(await answer(small.command(), stream, 'none', anEventOf(1_001))).to.include({ _tag: 'AppendRefused' });
      await append(small.command(), stream, 'none', anEventOf(1_000));
    } finally {
      await small.close();
    }
  });

  it('above 16 MiB the call takes every pending append with it: refused before it is sent, and the others are unharmed', async () => {
    const store = scene.command({ pausesMs: [] });
    scene.double.faults.holdAnswers(3);
    const others = someEvents(3).map((event) => append(store, aStream(), 'none', event));
    await eventually('three appends to be under way', () => scene.double.faults.pending() === 0);
    expect(await answer(store, stream, 'none', anEventOf(17 * MIB))).to.include({ _tag: 'AppendRefused' });
    expect(scene.double.faults.releaseAnswers()).to.equal(3);
    await Promise.all(others);
  });
});

import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { RecordedEvent } from '../../../src/domain/recorded-event.ts';
import type { LoggedEvent } from '../../support/eventstoredb/event-log.ts';
import type { Lie } from '../../support/eventstoredb/faults.ts';
import { recordedMessage } from '../../support/eventstoredb/recorded-message.ts';
import { right } from '../../support/right.ts';
import { anEvent } from '../../support/stored-events.ts';
import { within } from '../../support/within.ts';
import {
  answer,
  append,
  aStream,
  eventually,
  idsOf,
  openScene,
  SHORT,
  there,
  unavailableDetail,
  type StoreScene,
} from './store-scene.ts';

type Recorded = streams.ReadResp.ReadEvent.RecordedEvent;

/** The message of an event with something of it taken away, as no server sends it. */
const without =
  (take: (recorded: Recorded) => unknown): Lie =>
  (event) => {
    const message = recordedMessage(event);
    const recorded = message.getEvent()?.getEvent();
    if (recorded !== undefined) take(recorded);
    return [message];
  };

const NOT_FOUND = new streams.ReadResp().setStreamNotFound(new streams.ReadResp.StreamNotFound());

/** What is told in the place of the events of a stream of three, and what the ledger says to that. */
const OF_A_STREAM: readonly (readonly [what: string, lie: Lie, told: RegExp])[] = [
  ['another stream', (event) => [{ ...event, stream: there(aStream()) }], /answers with another one/],
  ['each event twice', (event) => [event, event], /revision 0 .* does not follow/],
  ['a gap', (event) => (event.revision === 1n ? [] : [event]), /revision 2 .* does not follow/],
  ['positions that go back', (event) => [{ ...event, ...at(9_000n - event.revision) }], /does not follow/],
  ['an end in the middle', (event) => (event.revision === 1n ? [NOT_FOUND] : [event]), /StreamNotFound/],
  ['a time behind all years', (event) => [{ ...event, createdAt: 1e16 }], /no time that a calendar has/],
  ['a time before all years', (event) => [{ ...event, createdAt: -1e16 }], /no time that a calendar has/],
  ['no id', without((recorded) => recorded.clearId()), /id is undefined/],
  ['no stream', without((recorded) => recorded.clearStreamIdentifier()), /streamIdentifier is undefined/],
];

const at = (position: bigint): Pick<LoggedEvent, 'position' | 'prepare'> => ({ position, prepare: position });

/** What is told by a subscription, after which it is known to be at fault. */
const OF_A_SUBSCRIPTION: readonly (readonly [what: string, lie: Lie, told: RegExp])[] = [
  ['each event twice', (event) => [event, event], /went back in the log/],
  ['a time behind all years', (event) => [{ ...event, createdAt: 1e16 }], /no time that a calendar has/],
  ['no id', without((recorded) => recorded.clearId()), /id is undefined/],
  ['no stream', without((recorded) => recorded.clearStreamIdentifier()), /streamIdentifier is undefined/],
];

/** Trailers that lack what their kind of error has, or say what can't be. */
const TRAILERS: readonly Readonly<Record<string, string>>[] = [
  { exception: 'not-leader' },
  { exception: 'stream-deleted' },
  { exception: 'wrong-expected-version' },
  { exception: 'maximum-append-size-exceeded' },
  { exception: 'user-not-found' },
  { exception: 'wrong-expected-version', 'stream-name': 'x', 'expected-version': 'abc' },
  { exception: 'not-leader', 'leader-endpoint-host': 'unix:/tmp/socket', 'leader-endpoint-port': '1' },
  { exception: 'not-leader', 'leader-endpoint-host': 'a b', 'leader-endpoint-port': '2113' },
  { exception: 'not-leader', 'leader-endpoint-host': 'node', 'leader-endpoint-port': '99999' },
];

describe('a server that lies', () => {
  let scene: StoreScene;
  beforeEach(async () => {
    scene = await openScene();
  });
  // Whatever escapes to the process fails here.
  afterEach(() => scene.close());

  for (const [what, lie, told] of OF_A_STREAM) {
    it(`is not believed when it answers a stream with ${what}`, async () => {
      const store = scene.command(SHORT);
      const stream = aStream();
      await append(store, stream, 'none', anEvent(), anEvent(), anEvent());
      scene.double.faults.lie(lie);
      expect(unavailableDetail(E.toUnion(await store.readStream(stream)()))).to.match(told);
      scene.double.faults.clear();
      expect(right(await store.readStream(stream)())).to.have.length(3);
    });
  }

  it('is not believed at once when it shows nothing where an append was acknowledged', async () => {
    const store = scene.command(SHORT);
    let hidden = 0;
    scene.double.faults.lie((event) => (hidden < 2 ? ((hidden += 1), []) : [event]));
    const event = anEvent();
    const stream = aStream();
    expect(await append(store, stream, 'none', event)).to.include({ revision: 0 });
    expect(hidden).to.equal(2);
    scene.double.faults.lie(() => []);
    expect(await answer(store, aStream(), 'none', anEvent())).to.include({ _tag: 'AppendRefused' });
    scene.double.faults.clear();
    expect(idsOf(right(await store.readStream(stream)()))).to.deep.equal([event.id]);
  });

  it('is not believed when it answers two events at one position', async () => {
    const store = scene.command(SHORT);
    const { position } = await append(store, aStream(), 'none', anEvent());
    scene.double.faults.lie((event) => [event, event]);
    expect(unavailableDetail(E.toUnion(await store.readAt([position])()))).to.match(/two events at position/);
  });

  for (const [what, lie, told] of OF_A_SUBSCRIPTION) {
    it(`is not followed when a subscription tells ${what}, and is when it tells the truth again`, async () => {
      const { store, shown, states } = await scene.serving(SHORT);
      const stream = aStream();
      scene.double.faults.lie((event, call) => (call === 'subscription' ? lie(event, call) : [event]));
      const first = anEvent();
      await append(store, stream, 'none', first);
      await eventually('the fault to be told', () => states.some((state) => state !== null && told.test(state)));
      expect(store.readiness()).to.include({ ready: false });
      scene.double.faults.clear();
      await eventually('the tail to be level', () => states.at(-1) === null);
      expect(idsOf(shown)).to.deep.equal([first.id]);
      expect(store.readiness()).to.deep.equal({ ready: true });
    });
  }

  it('is not followed when a subscription tells again what was shown before', async () => {
    const store = scene.command(SHORT);
    const events = [anEvent(), anEvent()] as const;
    for (const event of events) await append(store, aStream(), 'none', event);
    const [old] = scene.double.log.userEvents();
    scene.double.faults.lie((event) => (old === undefined || event === old ? [event] : [event, old]));
    const seen: RecordedEvent[] = [];
    const closing = new AbortController();
    const following = async (): Promise<unknown> => {
      for await (const batch of store.subscribe(null, closing.signal)) {
        if (E.isLeft(batch)) return batch.left;
        seen.push(...batch.right);
      }
      return null;
    };
    expect(unavailableDetail(await within(8_000, following(), 'the fault'))).to.match(/went back in the log/);
    closing.abort();
    expect(new Set(idsOf(seen)).size).to.equal(seen.length);
  });

  for (const trailers of TRAILERS) {
    it(`has answered nothing with the trailers ${JSON.stringify(trailers)}, and is asked again`, async () => {
      const { store, states } = await scene.serving({ ...SHORT, pausesMs: [] });
      const stream = aStream();
      await append(store, stream, 'none', anEvent());
      scene.double.faults.refuseAll({ _tag: 'Trailers', trailers });
      unavailableDetail(await answer(store, aStream(), 'none', anEvent()));
      unavailableDetail(E.toUnion(await store.readStream(stream)()));
      scene.double.faults.endSubscriptions();
      await eventually('the loss to be told', () => states.at(-1)?.includes('FAILED_PRECONDITION') === true);
      scene.double.faults.serve();
      await eventually('the tail to be level', () => states.at(-1) === null);
      await append(store, aStream(), 'none', anEvent());
    });
  }
});

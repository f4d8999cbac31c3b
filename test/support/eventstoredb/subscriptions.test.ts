import { once } from 'node:events';
import {
  END,
  eventTypeFilter,
  START,
  streamNameFilter,
  type AllStreamSubscription,
  type Position,
  type StreamSubscription,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { until } from '../until.ts';
import { within } from '../within.ts';
import { doubleWithClient, rejection, testEvent } from './double-with-client.ts';

const WAIT_MS = 5_000;

describe('double of EventStoreDB: subscriptions', () => {
  let opened: Awaited<ReturnType<typeof doubleWithClient>>;

  beforeEach(async () => {
    opened = await doubleWithClient();
  });
  afterEach(() => opened.close());

  const write = async (stream: string, count: number): Promise<void> => {
    await opened.append(
      stream,
      'any',
      Array.from({ length: count }, () => testEvent()),
    );
  };
  const idsOf = (stream: string): readonly string[] =>
    opened.double.log.stream(stream)?.events.map(({ id }) => id) ?? [];

  type Followed = { readonly seen: string[]; readonly lives: () => number };

  const follow = (subscription: AllStreamSubscription | StreamSubscription): Followed => {
    const seen: string[] = [];
    let lives = 0;
    subscription.on('data', ({ event }: { event?: { id: string; streamId: string } }) => {
      if (event !== undefined && !event.streamId.startsWith('$')) seen.push(event.id);
    });
    subscription.on('caughtUp', () => {
      lives += 1;
      seen.push('caught up');
    });
    return { seen, lives: () => lives };
  };
  const sees = ({ seen }: Followed, count: number): Promise<true> =>
    until(WAIT_MS, `${count} events, of which there are ${seen.length}`, async () =>
      seen.length >= count ? true : null,
    );

  it('confirm, catch up, say so, and go on live', async () => {
    await write('stream', 3);
    const subscription = opened.client.subscribeToStream('stream', { fromRevision: START });
    const confirmed = once(subscription, 'confirmation');
    const followed = follow(subscription);
    await within(WAIT_MS, confirmed, 'the confirmation');
    await sees(followed, 4);
    await write('stream', 2);
    await sees(followed, 6);
    const ids = idsOf('stream');
    expect(followed.seen).to.deep.equal([...ids.slice(0, 3), 'caught up', ...ids.slice(3)]);
  });

  it('begin behind the revision or position that they resume from, or at the end', async () => {
    await write('stream', 4);
    const [, second] = opened.double.log.userEvents();
    const position = second?.position ?? 0n;
    const ofStream = follow(opened.client.subscribeToStream('stream', { fromRevision: 1n }));
    const ofAll = follow(opened.client.subscribeToAll({ fromPosition: { commit: position, prepare: position } }));
    const ofEnd = follow(opened.client.subscribeToAll({ fromPosition: END }));
    await Promise.all([sees(ofStream, 3), sees(ofAll, 3), sees(ofEnd, 1)]);
    await write('stream', 1);
    await Promise.all([sees(ofStream, 4), sees(ofAll, 4), sees(ofEnd, 2)]);
    const [, , third, fourth, fifth] = idsOf('stream');
    expect(ofStream.seen).to.deep.equal([third, fourth, 'caught up', fifth]);
    expect(ofAll.seen).to.deep.equal([third, fourth, 'caught up', fifth]);
    expect(ofEnd.seen).to.deep.equal(['caught up', fifth]);
  });

  it('filter $all on the server, by stream and by type', async () => {
    for (const stream of ['order-1', 'other-1', 'order-2']) await write(stream, 1);
    await opened.append('order-3', 'any', [{ ...testEvent(), type: 'special' }]);
    const byStream = follow(opened.client.subscribeToAll({ filter: streamNameFilter({ prefixes: ['order-'] }) }));
    const byType = follow(opened.client.subscribeToAll({ filter: eventTypeFilter({ regex: '^spec' }) }));
    await Promise.all([sees(byStream, 4), sees(byType, 2)]);
    const orders = ['order-1', 'order-2', 'order-3'].flatMap(idsOf);
    expect(byStream.seen).to.deep.equal([...orders, 'caught up']);
    expect(byType.seen).to.deep.equal([...idsOf('order-3'), 'caught up']);
  });

  describe('with checkpoints', () => {
    const INTERVAL = 2;
    const WINDOW = 32;
    const RECORDS_EACH = INTERVAL * WINDOW;

    const followFrom = (
      from: Position | 'start',
    ): Followed & { readonly checkpoints: Position[]; readonly subscription: AllStreamSubscription } => {
      const checkpoints: Position[] = [];
      const checkpointReached = (_: unknown, position: Position): void => {
        checkpoints.push(position);
      };
      const filter = streamNameFilter({ prefixes: ['order-'], checkpointInterval: INTERVAL, checkpointReached });
      const subscription = opened.client.subscribeToAll({ fromPosition: from, filter });
      return { ...follow(subscription), checkpoints, subscription };
    };

    it('report one for each interval of records considered, and one where they have caught up', async () => {
      for (let i = 0; i < 5; i += 1) {
        await write('other', 39);
        await write('order-1', 1);
      }
      const records = opened.double.log.length();
      const { seen, checkpoints, ...followed } = followFrom('start');
      await sees({ seen, ...followed }, 6);
      const due = Array.from({ length: Math.floor(records / RECORDS_EACH) }, (_, i) => (i + 1) * RECORDS_EACH);
      // Each lies right behind the last record considered.
      const places = checkpoints.map(({ commit }) => opened.double.log.firstFrom(commit));
      expect(places).to.deep.equal([...due, records]);
      expect(new Set(checkpoints.map(({ prepare }) => prepare))).to.deep.equal(new Set([0n]));
      // A few at a time: with more at once the subscription would catch up again.
      for (let i = 0; i < RECORDS_EACH / 16; i += 1) await write('other', 16);
      await until(WAIT_MS, 'a live checkpoint', async () =>
        checkpoints.some(({ prepare }) => prepare > 0n) ? true : null,
      );
      const live = checkpoints.at(-1);
      expect(live?.commit).to.equal(live?.prepare);
    });

    it('skip and repeat nothing when they resume from any of them', async () => {
      for (let i = 0; i < 150; i += 1) await write(i % 3 === 0 ? 'order-1' : 'other', 1);
      const ids = idsOf('order-1');
      const first = followFrom('start');
      await sees(first, ids.length + 1);
      expect(first.checkpoints.length).to.be.greaterThan(2);
      for (const checkpoint of first.checkpoints) {
        const due = opened.double.log
          .userEvents()
          .filter(({ stream, position }) => stream === 'order-1' && position >= checkpoint.commit)
          .map(({ id }) => id);
        const resumed = followFrom(checkpoint);
        await sees(resumed, due.length + 1);
        expect(resumed.seen).to.deep.equal([...due, 'caught up']);
        await resumed.subscription.unsubscribe();
      }
    });
  });

  it('are told again that they caught up after they fell behind', async () => {
    const followed = follow(opened.client.subscribeToStream('stream', { fromRevision: START }));
    await sees(followed, 1);
    await write('stream', 100);
    await sees(followed, 102);
    expect(followed.lives()).to.equal(2);
    expect(followed.seen.at(-1)).to.equal('caught up');
  });

  it('lose nothing when they are read slowly', async () => {
    await write('stream', 5_000);
    const subscription = opened.client.subscribeToStream('stream', { fromRevision: START });
    const seen: string[] = [];
    for await (const { event } of subscription) {
      if (event !== undefined) seen.push(event.id);
      if (seen.length === 1) await write('stream', 5_000);
      if (seen.length === 10_000) break;
    }
    await subscription.unsubscribe();
    expect(seen).to.deep.equal(idsOf('stream'));
  });

  it('just stop when the server ends them', async () => {
    await write('stream', 1);
    const subscription = opened.client.subscribeToStream('stream', { fromRevision: START });
    const seen: unknown[] = [];
    const iterated = (async (): Promise<void> => {
      for await (const { event } of subscription) seen.push(event?.id);
    })();
    await until(WAIT_MS, 'the event', async () => (seen.length === 1 ? true : null));
    opened.double.faults.endSubscriptions();
    await within(WAIT_MS, iterated, 'the end');
    expect(seen).to.deep.equal(idsOf('stream'));
  });

  it('fail when the connection is cut, and on a tombstoned stream', async () => {
    const cut = opened.client.subscribeToAll({ fromPosition: END });
    const confirmed = once(cut, 'confirmation');
    const failed = new Promise<unknown>((resolve) => cut.on('error', resolve));
    await within(WAIT_MS, confirmed, 'the confirmation');
    opened.double.faults.dropConnections();
    expect(await within(WAIT_MS, failed, 'the error')).to.include({ type: 'unavailable' });

    await write('stream', 1);
    await opened.client.tombstoneStream('stream');
    const iterated = async (): Promise<void> => {
      for await (const _ of opened.client.subscribeToStream('stream')) expect.fail('an event came');
    };
    expect(await rejection(within(WAIT_MS, iterated(), 'the error'))).to.include({ type: 'stream-deleted' });
  });

  it('do not see the last events of a node that lags behind', async () => {
    await write('stream', 3);
    opened.double.lagBehind(2);
    const followed = follow(opened.client.subscribeToStream('stream', { fromRevision: START }));
    await sees(followed, 2);
    const ids = idsOf('stream');
    expect(followed.seen).to.deep.equal([ids[0], 'caught up']);
    opened.double.lagBehind(0);
    await sees(followed, 4);
    expect(followed.seen).to.deep.equal([ids[0], 'caught up', ids[1], ids[2]]);
  });
});

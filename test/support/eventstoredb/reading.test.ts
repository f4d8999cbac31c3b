import { randomUUID } from 'node:crypto';
import {
  StreamDeletedError,
  StreamNotFoundError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { until } from '../until.ts';
import { doubleWithClient, rejection, testEvent } from './double-with-client.ts';
import { eventLog, type LoggedEvent } from './event-log.ts';

const FIRST_POSITION = 2n ** 60n + 1n;
const WRITTEN_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('double of EventStoreDB: reading', () => {
  let opened: Awaited<ReturnType<typeof doubleWithClient>>;

  beforeEach(async () => {
    opened = await doubleWithClient({ log: eventLog({ firstPosition: FIRST_POSITION, now: () => WRITTEN_AT }) });
    for (let i = 0; i < 5; i += 1) await opened.append('stream', 'any', [testEvent(undefined, `event ${i}`)]);
  });
  afterEach(() => opened.close());

  const eventually = (what: string, isSo: () => boolean): Promise<true> =>
    until(5_000, what, () => Promise.resolve(isSo() ? true : null));

  const readStream = async (options: ReadStreamOptions = {}, stream = 'stream'): Promise<readonly unknown[]> => {
    const revisions: unknown[] = [];
    for await (const { event } of opened.client.readStream(stream, options)) revisions.push(event?.revision);
    return revisions;
  };
  const readAll = async (options: ReadAllOptions = {}): Promise<readonly unknown[]> => {
    const positions: unknown[] = [];
    for await (const { event } of opened.client.readAll(options)) positions.push(event?.position.commit);
    return positions;
  };
  const logged = (place: number): LoggedEvent => {
    const event = opened.double.log.userEvents().at(place);
    if (event === undefined) throw new Error(`nothing was written at ${place}`);
    return event;
  };
  const at = (place: number): Position => ({ commit: logged(place).position, prepare: logged(place).position });
  const positions = (from: number, to: number): readonly bigint[] =>
    opened.double.log
      .userEvents()
      .slice(from, to)
      .map(({ position }) => position);

  it('gives an event with all that belongs to it', async () => {
    for await (const { event, commitPosition } of opened.client.readStream('stream', { maxCount: 1 })) {
      const { id, position } = logged(0);
      expect(event).to.deep.include({ streamId: 'stream', id, revision: 0n, type: 'test-event', isJson: false });
      expect(event).to.deep.include({
        created: new Date(WRITTEN_AT),
        position: { commit: position, prepare: position },
      });
      expect(event?.data).to.deep.equal(Uint8Array.from(Buffer.from('event 0')));
      expect(commitPosition).to.equal(position);
      expect(position > FIRST_POSITION, 'behind what the server wrote').to.equal(true);
      return;
    }
    expect.fail('nothing was read');
  });

  it('reads a stream both ways, inclusively', async () => {
    expect(await readStream()).to.deep.equal([0n, 1n, 2n, 3n, 4n]);
    expect(await readStream({ fromRevision: 3n })).to.deep.equal([3n, 4n]);
    expect(await readStream({ fromRevision: 1n, maxCount: 2 })).to.deep.equal([1n, 2n]);
    expect(await readStream({ direction: 'backwards', fromRevision: 'end', maxCount: 2 })).to.deep.equal([4n, 3n]);
    expect(await readStream({ direction: 'backwards', fromRevision: 1n })).to.deep.equal([1n, 0n]);
    expect(await readStream({ fromRevision: 5n })).to.deep.equal([]);
  });

  it('reads $all forwards inclusively and backwards exclusively', async () => {
    expect(await readAll({ fromPosition: at(3) })).to.deep.equal(positions(3, 5));
    expect(await readAll({ fromPosition: at(3), direction: 'backwards', maxCount: 2 })).to.deep.equal(
      positions(1, 3).toReversed(),
    );
    expect(await readAll({ fromPosition: 'end', direction: 'backwards', maxCount: 1 })).to.deep.equal(positions(4, 5));
  });

  it('shows in $all what the server wrote', async () => {
    const [system, written] = [opened.double.log.events(), opened.double.log.userEvents()];
    expect(system.length).to.be.greaterThan(written.length);
    expect(await readAll()).to.deep.equal(system.map(({ position }) => position));
  });

  it('refuses to read nothing, forwards from the end, and from a position that is no event', async () => {
    const { commit } = at(2);
    const refused = [
      readAll({ maxCount: 0 }),
      readAll({ fromPosition: 'end' }),
      readStream({ fromRevision: 'end' }),
      readAll({ fromPosition: { commit: commit + 1n, prepare: commit + 1n } }),
    ];
    for (const answer of refused) expect(await rejection(answer)).to.include({ type: 'unknown' });
  });

  it('tells of streams that are missing, deleted and tombstoned', async () => {
    expect(await rejection(readStream({}, 'missing'))).to.be.instanceOf(StreamNotFoundError);
    await opened.client.deleteStream('stream');
    expect(await rejection(readStream())).to.be.instanceOf(StreamNotFoundError);
    await opened.client.tombstoneStream('stream');
    expect(await rejection(readStream())).to.be.instanceOf(StreamDeletedError);
  });

  it('hides what is truncated from the stream, not from $all', async () => {
    await opened.client.setStreamMetadata('stream', { truncateBefore: 3 });
    expect(await readStream()).to.deep.equal([3n, 4n]);
    expect(await readStream({ direction: 'backwards', fromRevision: 'end' })).to.deep.equal([4n, 3n]);
    expect(await readAll({ fromPosition: at(0), maxCount: 5 })).to.deep.equal(positions(0, 5));
  });

  it('gives an event of an explicit transaction where it was committed, with the place where it was prepared', async () => {
    const [{ position, prepare } = logged(-1)] = opened.double.log.write('stream', [
      { ...logged(-1), id: randomUUID(), isTransacted: true },
    ]);
    expect(prepare < position).to.equal(true);
    const from = { commit: position, prepare };
    for await (const { event } of opened.client.readAll({ fromPosition: from, maxCount: 1 })) {
      expect(event).to.deep.include({ streamId: 'stream', position: from });
    }
    await rejection(readAll({ fromPosition: { commit: position, prepare: position }, maxCount: 1 }));
    for await (const { event } of opened.client.subscribeToAll({ fromPosition: at(-2) })) {
      expect(event?.position).to.deep.equal(from);
      break;
    }
  });

  it('counts the events that were sent, and the calls that neither side has ended', async () => {
    const { double } = opened;
    expect([double.openReads(), double.sentEvents()]).to.deep.equal([0, 0]);
    await readStream();
    expect(double.sentEvents()).to.equal(5);
    await eventually('the read to be over', () => double.openReads() === 0);
    const subscription = opened.client.subscribeToStream('stream').on('data', () => undefined);
    await eventually('the subscription to have caught up', () => double.sentEvents() === 10);
    expect(double.openReads()).to.equal(1);
    await subscription.unsubscribe();
    await eventually('the subscription to be cancelled', () => double.openReads() === 0);
    opened.client
      .subscribeToStream('stream')
      .on('data', () => undefined)
      .on('error', () => undefined);
    await eventually('another one', () => double.openReads() === 1);
    double.faults.dropConnections();
    await eventually('its connection to be cut', () => double.openReads() === 0);
  });

  it('misses the last events on a node that lags behind', async () => {
    opened.double.lagBehind(2);
    expect(await readStream()).to.deep.equal([0n, 1n, 2n]);
    expect(await readAll({ fromPosition: at(1) })).to.deep.equal(positions(1, 3));
    opened.double.lagBehind(0);
    expect(await readStream()).to.deep.equal([0n, 1n, 2n, 3n, 4n]);
  });
});

import { once } from 'node:events';
import { AccessDeniedError, DeadlineExceededError, EventStoreDBClient, NotLeaderError } from '@eventstore/db-client';
import grpcStreams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { credentials } from '@grpc/grpc-js';
import { expect } from 'chai';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { until } from '../until.ts';
import { within } from '../within.ts';
import { appendWith, doubleWithClient, reconnected, rejection, testEvent } from './double-with-client.ts';
import { startEventStoreDbProcess } from './event-store-db-process.ts';
import { streamIdentifier } from './stream-identifier.ts';

const WAIT_MS = 5_000;
const SHORT_MS = 200;

describe('double of EventStoreDB: faults', () => {
  let opened: Awaited<ReturnType<typeof doubleWithClient>>;

  beforeEach(async () => {
    opened = await doubleWithClient();
    await opened.append('warm', 'any', [testEvent()]);
  });
  afterEach(() => opened.close());

  const append = (deadline?: number): Promise<unknown> =>
    opened.append('stream', 'any', [testEvent()], deadline === undefined ? {} : { deadline });
  const appendInBatch = (): Promise<unknown> => opened.append('stream', 'any', [testEvent()], { call: 'batch' });
  const written = (): number => opened.double.log.stream('stream')?.events.length ?? 0;
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const { event } of opened.client.readStream('warm')) if (event !== undefined) count += 1;
    return count;
  };
  /** Begins a read: the client has no deadline for one, so what shows silence is that a later append was answered first. */
  const pendingRead = (): { readonly outcome: () => string; readonly settled: Promise<unknown> } => {
    let outcome = 'none';
    const settled = read().then(
      (count) => (outcome = `${count} read`),
      (error: unknown) => (outcome = String(error)),
    );
    return { outcome: () => outcome, settled };
  };
  const writtenAre = (count: number): Promise<true> =>
    until(WAIT_MS, `${count} events`, async () => (written() === count ? true : null));

  it('silence: calls of a kind get no answer and do nothing', async () => {
    const { faults } = opened.double;
    faults.silence('append');
    const error = await rejection(append(SHORT_MS));
    expect(error).to.be.instanceOf(DeadlineExceededError);
    expect(error).to.include({ code: 4 });
    expect(await read()).to.equal(1);
    faults.silence('read');
    const silenced = pendingRead();
    await append();
    expect(silenced.outcome()).to.equal('none');
    faults.silence();
    const again = pendingRead();
    await rejection(append(SHORT_MS));
    expect(again.outcome()).to.equal('none');
    faults.speak();
    expect(await read()).to.equal(1);
    expect([silenced.outcome(), again.outcome(), written()]).to.deep.equal(['none', 'none', 1]);
    faults.dropConnections();
    await Promise.all([silenced.settled, again.settled]);
  });

  it('silence of subscriptions: reads are answered, and a subscription is not confirmed', async () => {
    const confirmed: string[] = [];
    const subscribe = (name: string) =>
      opened.client
        .subscribeToStream('warm')
        .on('confirmation', () => confirmed.push(name))
        .on('error', () => undefined);
    opened.double.faults.silence('subscription');
    subscribe('silenced');
    await until(WAIT_MS, 'the call', async () => (opened.double.openReads() === 1 ? true : null));
    expect(await read()).to.equal(1);
    opened.double.faults.speak();
    subscribe('answered');
    await until(WAIT_MS, 'the confirmation', async () => (confirmed.length > 0 ? true : null));
    expect(confirmed).to.deep.equal(['answered']);
  });

  it('silenced appends: so many, performed or not', async () => {
    opened.double.faults.silenceAppends(1, { performed: true });
    opened.double.faults.silenceAppends(1, { performed: false });
    expect(opened.double.faults.pending()).to.equal(2);
    await rejection(append(SHORT_MS));
    expect([written(), opened.double.faults.pending()]).to.deep.equal([1, 1]);
    await rejection(append(SHORT_MS));
    expect(written()).to.equal(1);
    await append();
    expect(written()).to.equal(2);
  });

  for (const [call, appendBy] of [
    ['unary', () => append()],
    ['batch', appendInBatch],
  ] as const) {
    it(`held answers: performed now, answered later, ${call}`, async () => {
      opened.double.faults.holdAnswers(2);
      let answers = 0;
      const both = Promise.all([appendBy(), appendBy()].map((each) => each.then(() => (answers += 1))));
      await writtenAre(2);
      expect(await read()).to.equal(1);
      expect(answers).to.equal(0);
      expect(opened.double.faults.releaseAnswers()).to.equal(2);
      await within(WAIT_MS, both, 'the held answers');
      expect(opened.double.faults.releaseAnswers()).to.equal(0);
    });

    it(`dropped connections: the outcome is unknown to the client, ${call}`, async () => {
      opened.double.faults.dropAfterAppends(1);
      expect(await rejection(appendBy())).to.include({ type: 'unavailable' });
      expect(written()).to.equal(1);
      await reconnected(opened.client);
      opened.double.faults.dropAfterAppends(1, { performed: false });
      expect(await rejection(appendBy())).to.include({ type: 'unavailable' });
      expect(written()).to.equal(1);
      await reconnected(opened.client);
      await appendBy();
      expect(written()).to.equal(2);
    });

    it(`refused appends: so many, not performed unless ordered, ${call}`, async () => {
      const { faults } = opened.double;
      faults.refuseAppends(1, { _tag: 'AccessDenied' });
      expect(await rejection(appendBy())).to.be.instanceOf(AccessDeniedError);
      for (const _tag of ['NotReady', 'Busy'] as const) {
        faults.refuseAppends(1, { _tag });
        // The batch call has no in-band form for them that the client knows.
        expect(await rejection(appendBy())).to.include({ type: call === 'batch' ? 'unknown' : 'unavailable' });
        await reconnected(opened.client);
      }
      expect(written()).to.equal(0);
      faults.refuseAppends(1, { _tag: 'Unavailable' }, { performed: true });
      expect(await rejection(appendBy())).to.include({ type: 'unavailable' });
      expect(written()).to.equal(1);
      await reconnected(opened.client);
      await appendBy();
    });
  }

  it('duplicated answers: a batch append is performed once and answered twice', async () => {
    opened.double.faults.duplicateAnswers(1);
    const client = new grpcStreams.StreamsClient(`127.0.0.1:${opened.double.port}`, credentials.createInsecure());
    const call = client.batchAppend();
    const answers: (string | undefined)[] = [];
    call.on('data', (answer: streams.BatchAppendResp) => answers.push(answer.getCorrelationId()?.getString()));
    const ended = once(call, 'end');
    const chunk = (id: string): streams.BatchAppendReq => {
      const options = new streams.BatchAppendReq.Options().setStreamIdentifier(streamIdentifier('stream'));
      options.setAny(new empty.Empty());
      const event = new streams.BatchAppendReq.ProposedMessage().setId(new shared.UUID().setString(testEvent().id));
      event.getMetadataMap().set('type', 'test-event').set('content-type', 'application/octet-stream');
      return new streams.BatchAppendReq()
        .setCorrelationId(new shared.UUID().setString(id))
        .setOptions(options)
        .setProposedMessagesList([event])
        .setIsFinal(true);
    };
    call.write(chunk('first'));
    call.write(chunk('second'));
    call.end();
    await within(WAIT_MS, ended, 'the end of the call');
    client.close();
    expect(answers).to.deep.equal(['first', 'first', 'second']);
    expect(written()).to.equal(2);
  });

  it('reversed appends: performed last first', async () => {
    // A cold client sends its first appends in no certain order.
    await opened.append('warm', 'any', [testEvent()], { call: 'batch' });
    opened.double.faults.reverseAppends(3);
    const events = [testEvent(), testEvent(), testEvent()];
    const answers: Promise<unknown>[] = [];
    for (const event of events) answers.push(opened.append('stream', 'any', [event], { call: 'batch' }));
    await within(WAIT_MS, Promise.all(answers), 'the answers');
    const ids = opened.double.log.stream('stream')?.events.map(({ id }) => id);
    expect(ids).to.deep.equal(events.map(({ id }) => id).toReversed());
  });

  it('refusal of all: until the double serves again', async () => {
    opened.double.faults.refuseAll({ _tag: 'NotReady' });
    await rejection(append());
    await rejection(read());
    opened.double.faults.serve();
    await reconnected(opened.client);
    await append();
    expect(written()).to.equal(1);
  });

  it('refusal of a kind of calls: the others are served, and those that met it are counted', async () => {
    const { faults } = opened.double;
    faults.refuseAll({ _tag: 'Unavailable' }, 'read');
    let isMet = false;
    const met = faults.whenMet(1).then(() => (isMet = true));
    await append();
    expect(isMet).to.equal(false);
    await rejection(read());
    await within(WAIT_MS, met, 'the fault to be met');
    faults.serve();
    expect(await read()).to.equal(1);
  });

  it('not leader: appends are sent elsewhere, reads are served', async () => {
    const other = await doubleWithClient();
    try {
      opened.double.faults.notLeader({ port: other.double.port });
      expect(await read()).to.equal(1);
      const error = await rejection(append());
      expect(error).to.be.instanceOf(NotLeaderError);
      expect(error).to.deep.include({ leader: { address: '127.0.0.1', port: other.double.port } });
      await append();
      expect([written(), other.double.log.stream('stream')?.events.length]).to.deep.equal([0, 1]);
    } finally {
      await other.close();
    }
  });

  it('freeze: nothing is served, then everything', async () => {
    opened.double.faults.freeze();
    const reading = pendingRead();
    const waiting = append();
    // Its deadline passes on the client; the append itself is still in the frozen double.
    await rejection(append(SHORT_MS));
    expect([reading.outcome(), written()]).to.deep.equal(['none', 0]);
    opened.double.faults.thaw();
    await within(WAIT_MS, Promise.all([waiting, reading.settled]), 'the answers');
    expect(reading.outcome()).to.equal('1 read');
    expect(written()).to.be.greaterThan(0);
  });

  it('clear: takes back all that was ordered', async () => {
    const { faults } = opened.double;
    faults.silence();
    faults.refuseAll({ _tag: 'Busy' });
    faults.refuseAppends(1, { _tag: 'AccessDenied' });
    faults.reverseAppends(2);
    faults.freeze();
    faults.clear();
    await append(SHORT_MS * 5);
    expect(await read()).to.equal(1);
  });

  it('stop: connections are refused until the start, and the log is still there', async () => {
    await opened.double.stop();
    expect(opened.double.isListening()).to.equal(false);
    expect(await rejection(append())).to.include({ code: 14 });
    await opened.double.start();
    await reconnected(opened.client);
    expect(await read()).to.equal(1);
  });

  it('restart: with the memory of ids, or without', async () => {
    const event = testEvent();
    const again = async (): Promise<number> => {
      await reconnected(opened.client);
      await opened.append('stream', 'any', [event]);
      return written();
    };
    expect(await again()).to.equal(1);
    await opened.double.restart({ forgetIds: false });
    expect(await again()).to.equal(1);
    await opened.double.restart({ forgetIds: true });
    expect(await again()).to.equal(2);
  });
});

describe('double of EventStoreDB: a process of its own', () => {
  it('can be frozen, thawed, killed and ended', async () => {
    const [first, second] = [await startEventStoreDbProcess(), await startEventStoreDbProcess()];
    const clients = [first, second].map(({ url }) => EventStoreDBClient.connectionString(url));
    const [ofFirst, ofSecond] = clients.map(appendWith);
    try {
      await ofFirst?.('stream', 'no_stream', [testEvent()]);
      first.freeze();
      const frozen = ofFirst?.('stream', 0n, [testEvent()], { deadline: SHORT_MS });
      expect(await rejection(Promise.resolve(frozen))).to.include({ type: 'deadline-exceeded' });
      first.thaw();
      const thawed = await ofFirst?.('other', 'no_stream', [testEvent()]);
      expect(thawed?.success).to.equal(true);
      await first.kill();
      expect(await rejection(Promise.resolve(ofFirst?.('stream', 'any', [testEvent()])))).to.include({ code: 14 });

      await ofSecond?.('stream', 'no_stream', [testEvent()]);
      second.freeze();
      await second.end();
      expect(await rejection(Promise.resolve(ofSecond?.('stream', 'any', [testEvent()])))).to.include({ code: 14 });
    } finally {
      await Promise.all(clients.map((client) => client.dispose()));
      await Promise.all([first.kill(), second.kill()]);
    }
  });
});

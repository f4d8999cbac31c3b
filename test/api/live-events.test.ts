import { until } from '../support/until.ts';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import { withHeartbeats } from '../../src/replies/with-heartbeats.ts';
import { accepted } from '../support/answers.ts';
import { refusalOf } from '../support/asking.ts';
import { deliver } from '../support/exchange.ts';
import { liveStream, type LiveStream } from '../support/live-stream.ts';
import { newOrderId, bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { API_KEY, READER_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const POSITIONS = ({ id }: { readonly id: string }): string => id;

describe('live events of a ledger that serves', () => {
  let ledger: RunningLedger;
  let streams: LiveStream[] = [];

  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());
  afterEach(() => {
    for (const stream of streams) stream.close();
    streams = [];
  });

  const open = async (lastEventId?: string, key = API_KEY): Promise<LiveStream> => {
    const stream = await liveStream(ledger.url, key, lastEventId);
    streams.push(stream);
    return stream;
  };
  const give = async (payload: Parameters<typeof deliver>[1]): Promise<string> =>
    accepted(await deliver(ledger.url, payload)).position;

  it('start now, are those of orders in the order of the log, and show no personal data', async () => {
    await give(onRamp({ orderId: 'before' }));
    const stream = await open();
    expect(stream.response.headers['content-type']).to.equal('text/event-stream; charset=utf-8');
    const positions = [];
    for (const status of ['pending', 'CryptoReceived']) positions.push(await give(offRamp({ orderId: 'a', status })));
    await give('no order');
    positions.push(await give(onRamp({ orderId: 'b' })));
    await give(onRamp({ orderId: 'b' }));
    const events = await stream.some(3);
    expect(events.map(POSITIONS)).to.deep.equal(positions);
    expect(events.map(({ event }) => event)).to.deep.equal([
      'OffRampPending',
      'OffRampCryptoReceived',
      'OnRampFiatPending',
    ]);
    expect(JSON.parse(events[0]?.data ?? '')).to.deep.include({
      stream: 'order-a',
      revision: 0,
      type: 'OffRampPending',
    });
    for (const needle of ['Vikram', 'vikram.shah', '9876543210']) expect(stream.text()).not.to.include(needle);
  });

  it('have neither digests nor signature for a key by which somebody could guess what is masked', async () => {
    const [full, guarded] = [await open(), await open(undefined, READER_KEY)];
    for (const orderId of [newOrderId(), newOrderId()]) await give(onRamp({ orderId }));
    expect((await guarded.some(2)).map(POSITIONS)).to.deep.equal((await full.some(2)).map(POSITIONS));
    for (const name of ['signature', 'bodySha256', 'recordSha256']) {
      expect(full.text(), name).to.include(`"${name}":`);
      expect(guarded.text(), name).not.to.include(`"${name}":`);
    }
  });

  it('go on behind the last event that was seen, without a gap or a repeat, and are live then', async () => {
    const positions = [];
    for (let i = 0; i < 40; i += 1) positions.push(await give(onRamp({ orderId: `o-${i}` })));
    const stream = await open(positions[9]);
    expect((await stream.some(30)).map(POSITIONS)).to.deep.equal(positions.slice(10));
    positions.push(await give(onRamp({ orderId: 'live' })));
    expect((await stream.some(31)).map(POSITIONS)).to.deep.equal(positions.slice(10));
  });

  it('are told to all who follow, and one who leaves takes nothing from the others', async () => {
    const [one, other] = [await open(), await open()];
    await give(onRamp({ orderId: 'c' }));
    await Promise.all([one.some(1), other.some(1)]);
    one.close();
    await give(onRamp({ orderId: 'd' }));
    expect((await other.some(2)).map(({ event }) => event)).to.deep.equal(['OnRampFiatPending', 'OnRampFiatPending']);
  });

  it('end in order, and are not cut off, when the ledger is told to stop', async () => {
    const stream = await open();
    await give(onRamp());
    await stream.some(1);
    await ledger.close();
    expect(await stream.ended()).to.equal(true);
  });
});

describe('the route of live events', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  it('refuses an id that this ledger has not given, and parameters', async () => {
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'a' })));
    for (const id of ['x', '-1', '99', '1.5']) {
      const { is, detail } = await refusalOf(api, '/v1/events/live', 'orders:read', {
        headers: { 'Last-Event-ID': id },
      });
      expect([is, detail.split(':')[0]], id).to.deep.equal(['400 invalid-parameter', 'Last-Event-ID']);
    }
    expect((await refusalOf(api, '/v1/events/live?limit=1', 'orders:read')).is).to.equal('400 invalid-parameter');
    expect((await refusalOf(api, '/v1/events/live', 'audit:read')).is).to.equal('403 forbidden');
    expect((await refusalOf(api, '/v1/events/live', null)).is).to.equal('401 unauthorized');
  });

  it('tells of a damaged event without what can not be read of it', async () => {
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'a' })));
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'b' })));
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'c' })));
    api.store.tamper(branded<StreamName>('order-b'), 0, { data: 'gone', type: 'Odd\ndata: x' });
    const stop = new AbortController();
    const response = await api.ask('/v1/events/live', 'orders:read', {
      headers: { 'Last-Event-ID': '0' },
      signal: stop.signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    const parts: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
    for await (const part of parts) {
      text += decoder.decode(part, { stream: true });
      if (text.includes('order-c')) break;
    }
    expect(text).to.include('id: 1\nevent: Odd data: x\ndata: {"stream":"order-b"').and.to.include('"data":null');
    stop.abort();
  });

  it('serves so many streams at a time, and again when some have gone', async () => {
    const stop = new AbortController();
    const open = () => api.ask('/v1/events/live', 'orders:read', { signal: stop.signal });
    expect((await api.ask('/v1/events/live', 'orders:read', { method: 'HEAD' })).status).to.equal(200);
    // The place of what has just ended is free a moment later.
    const served = () =>
      until(10_000, 'a place', async () => {
        const answer = await open();
        return answer.status === 200 ? answer : null;
      });
    const answers = await Promise.all(Array.from({ length: 64 }, served));
    expect((await refusalOf(api, '/v1/events/live', 'orders:read')).is).to.equal('503 overloaded');
    api.tellToStop();
    for (const answer of answers) expect(await answer.text()).to.match(/^retry: /);
  });
});

describe('heartbeats', () => {
  it('come while nothing else does, and nothing is lost for them', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const pieces = async function* (): AsyncGenerator<E.Either<never, Uint8Array>, void, undefined> {
      yield E.right(Buffer.from('a'));
      await promise;
      yield E.right(Buffer.from('b'));
    };
    const got: string[] = [];
    for await (const piece of withHeartbeats(pieces(), 2)) {
      got.push(E.isRight(piece) ? Buffer.from(piece.right).toString() : 'failed');
      if (got.length === 3) resolve(undefined);
    }
    expect(got.slice(0, 3)).to.deep.equal(['a', ':\n\n', ':\n\n']);
    expect(got.at(-1)).to.equal('b');
    expect(got.filter((text) => text === 'b')).to.have.length(1);
  });
});

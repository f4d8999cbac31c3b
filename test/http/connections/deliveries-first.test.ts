import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { deliveriesFirst } from '../../../src/http/connections/deliveries-first.ts';
import { listen, type HttpServer } from '../../../src/http/http-server.ts';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { NewConnections } from '../../../src/http/connections/new-connections.ts';
import { notProvedBy } from '../../../src/http/connections/proved-connections.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { exchange } from '../../support/exchange.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';
import { head, openWire, type Wire } from '../../support/wire.ts';

const CONNECTIONS = 150;
/** Turns of the loop that a delivery goes through: to the writer and back. */
const HOPS = 4;

const ASK = head('GET /other HTTP/1.1', { host: 'ledger' });

/** Takes the thread for a millisecond, as a question does. */
const work = (): void => {
  const end = performance.now() + 1;
  while (performance.now() < end);
};

describe('deliveries', () => {
  let server: HttpServer;
  let wires: readonly Wire[] = [];
  /** Others heard since the start, and while the last delivery went its way. */
  let others = 0;
  let meanwhile: number[] = [];
  let order: string[] = [];
  /** The answers to others, as long as anybody keeps them. */
  let kept: WeakRef<ServerResponse>[] = [];
  /** How many others had been heard when each delivery was. */
  let heardBehind: number[] = [];

  const deliver = (response: ServerResponse, hops: number, before = others): void => {
    if (hops > 0) setImmediate(() => deliver(response, hops - 1, before));
    else {
      meanwhile.push(others - before);
      response.end('taken');
    }
  };

  beforeEach(async () => {
    [others, meanwhile, order, heardBehind, kept] = [0, [], [], [], []];
    server = right(
      await listen(
        ({ url = '', method, socket }, response) => {
          order.push(url);
          if (url.endsWith('?refused')) notProvedBy(socket);
          if (url.endsWith('?unheard-of')) work();
          if (url.startsWith('/v1/webhooks') && method === 'POST') {
            heardBehind.push(others);
            deliver(response, HOPS);
            return;
          }
          others += 1;
          kept.push(new WeakRef(response));
          work();
          response.end('other');
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
  });
  afterEach(async () => {
    for (const wire of wires) wire.cut();
    wires = [];
    await server.close();
  });

  /** Connections that ask again as soon as they are answered. */
  const flood = (ask = ASK): void => {
    wires = Array.from({ length: CONNECTIONS }, () => openWire(server.url));
    for (const wire of wires) wire.write(ask.repeat(20));
  };

  const goTheirWay = async (ask: string): Promise<void> => {
    flood(ask);
    await until(10_000, 'the flood', () => Promise.resolve(others > CONNECTIONS ? true : null));
    const before: number[] = [];
    for (let sent = 0; sent < 5; sent += 1) {
      before.push(others);
      const { status, text } = await exchange(server.url, {
        path: '/v1/webhooks',
        method: 'POST',
        body: Buffer.from('{}'),
      });
      expect([status, text]).to.deep.equal([200, 'taken']);
    }
    expect(others, 'the flood goes on').to.be.lessThan(CONNECTIONS * 20);
    // Behind those that wait already there would be one of each connection between sending and hearing.
    const between = heardBehind.map((heard, i) => heard - (before[i] ?? 0));
    expect(Math.min(...between)).to.be.lessThan(CONNECTIONS / 2);
    // One turn has 2 ms of others, that is two of them or three, and sometimes four more where nobody waited.
    expect(Math.max(...meanwhile)).to.be.at.most((HOPS + 1) * 8);
  };

  it('go their way while few of all others that ask at once are heard', async () => {
    await goTheirWay(ASK);
  });

  it('are posted: what else is asked of their address goes by the others', async () => {
    await goTheirWay(head('GET /v1/webhooks HTTP/1.1', { host: 'ledger' }));
  });

  it('by a connection of which one was refused have their turn among those of whom nobody knows, however many come', async () => {
    const post = (query: string): string =>
      head(`POST /v1/webhooks?${query} HTTP/1.1`, { host: 'ledger', 'content-length': 0 });
    const refused = openWire(server.url);
    refused.write(post('refused'));
    await refused.answered(1);
    flood(post('unheard-of'));
    wires = [...wires, refused];
    await until(10_000, 'the flood', () => Promise.resolve(order.length > CONNECTIONS ? true : null));
    refused.write(post('again'));
    await refused.answered(2);
    await until(60_000, 'all of them', () => Promise.resolve(order.length === CONNECTIONS * 20 + 2 ? true : null));
    expect(order.indexOf('/v1/webhooks?again')).to.be.lessThan(CONNECTIONS * 10);
  });

  it('over a new connection wait for few of those who ask by connections that came before', async () => {
    wires = Array.from({ length: 2 * CONNECTIONS }, () => openWire(server.url));
    for (const wire of wires) wire.write(ASK);
    const delivery = openWire(server.url);
    wires = [...wires, delivery];
    delivery.write(head('POST /v1/webhooks HTTP/1.1', { host: 'ledger', 'content-length': 0 }));
    await delivery.answered(1);
    // One connection is accepted in a turn, and the turn would have two others or three, as long as there are any.
    expect(heardBehind[0]).to.be.lessThan(CONNECTIONS / 2);
    await until(60_000, 'all of them', () => Promise.resolve(others === 2 * CONNECTIONS ? true : null));
  });

  it('keep nobody from being heard in the end, each once', async () => {
    flood();
    await until(60_000, 'all of them', () => Promise.resolve(others === CONNECTIONS * 20 ? true : null));
    expect((await wires[0]?.answered(20))?.length).to.equal(20);
    expect((await exchange(server.url, { path: '/later' })).text, 'nothing is left of it').to.equal('other');
  });

  it('leave nothing in memory of what was answered while others waited, however long some do', async () => {
    flood();
    await until(60_000, 'most of them', () => Promise.resolve(others > CONNECTIONS * 6 ? true : null));
    // Those that were answered last may still be on their way.
    const answered = kept.slice(0, CONNECTIONS * 3);
    await until(10_000, 'their end', () => {
      collectGarbage();
      return Promise.resolve(answered.filter((ref) => ref.deref() !== undefined).length === 0 ? true : null);
    });
    expect(others, 'the flood goes on').to.be.lessThan(CONNECTIONS * 20);
  });

  it('leave nothing in memory of those that left before they were heard', async () => {
    const hear = deliveriesFirst(
      new NewConnections(),
      new HeldByPeers(1_000_000_000),
      () => false,
      () => (others += 1),
    );
    const left = Array.from({ length: 100 }, () => {
      const request = new IncomingMessage(new Socket());
      const response = new ServerResponse(request);
      hear(request, response);
      response.emit('close');
      return new WeakRef(response);
    }).slice(-CONNECTIONS / 2);
    // Behind the turn that is awaited and before the first of those that it begins.
    await new Promise(setImmediate);
    collectGarbage();
    expect(left.filter((ref) => ref.deref() !== undefined)).to.have.length(0);
    expect(others).to.be.lessThan(10);
  });

  it('are those of its path alone, whatever is asked of it', async () => {
    const paths = ['/v1/webhooks?a=b', '/v1/webhooksx', '/v1/webhooks/x'];
    for (const path of paths) await exchange(server.url, { path, method: 'POST', body: Buffer.from('{}') });
    expect(order).to.deep.equal(paths);
  });
});

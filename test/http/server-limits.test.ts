import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { listen, type HttpServer, type ServerLimits } from '../../src/http/http-server.ts';
import { exchange } from '../support/exchange.ts';
import { loopTurns } from '../support/loop-turns.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

/** More than the system keeps for a connection. */
const LARGE = Buffer.alloc(16_000_000);

/** Nobody is cut off in the time of a test. */
const PATIENT = { pace: { patienceMs: 60_000, bytesPerSecond: 1 }, bytes: 1_000_000_000, lookEveryMs: 20 };

describe('limits of the server', () => {
  const wires: Wire[] = [];
  const sockets: Socket[] = [];
  let server: HttpServer;
  let heard = 0;
  let held: (() => void)[] = [];
  const listener: RequestListener = (request, response) => {
    heard += 1;
    const answer = (): void => {
      request.resume();
      request.once('end', () => response.end('answered'));
    };
    if (request.url === '/held') held.push(answer);
    else if (request.url === '/busy') {
      const end = performance.now() + 3;
      while (performance.now() < end);
      answer();
    } else if (request.url === '/large') response.end(LARGE);
    else answer();
  };
  const start = async (limits: Partial<ServerLimits>): Promise<void> => {
    server = right(await listen(listener, '127.0.0.1', 0, () => 'request-id', limits));
  };
  /** A caller that asks for more than lies between two programs, and reads nothing; resolves when it is cut off. */
  const askUnread = (): { readonly cutOff: Promise<void> } => {
    const before = heard;
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(head('GET /large HTTP/1.1', { host: 'ledger' }));
    const asked = until(5_000, 'the request', () => Promise.resolve(heard > before ? true : null));
    // A connection that nobody reads does not tell of its end until somebody writes to it.
    const cutOff = async (): Promise<void> => {
      await asked;
      await until(10_000, 'the end of the connection', () => {
        socket.write('\r\n');
        return Promise.resolve(socket.destroyed ? true : null);
      });
    };
    return { cutOff: cutOff() };
  };
  const open = (): Wire => {
    const wire = openWire(server.url);
    wires.push(wire);
    return wire;
  };

  beforeEach(() => {
    heard = 0;
  });
  afterEach(async () => {
    for (const wire of wires.splice(0)) wire.cut();
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  it('lets as many header lines through as are allowed, and answers one more with 431, unheard', async () => {
    await start({ connections: 10, headers: 8 });
    const lines = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'a']));
    const wire = open();
    wire.write(head('GET / HTTP/1.1', lines(8)).replace('x-0', 'host'));
    expect((await wire.answered(1)).map(({ status }) => status)).to.deep.equal([200]);
    for (const count of [9, 10, 500]) {
      const refused = open();
      refused.write(head('GET / HTTP/1.1', lines(count)).replace('x-0', 'host'));
      const [answer] = await refused.answered(1);
      expect(answer?.status, String(count)).to.equal(431);
      expect(JSON.parse(answer?.text ?? '')).to.include({ code: 'headers-too-large', requestId: 'request-id' });
      await refused.closed();
    }
    expect(heard).to.equal(1);
  });

  it('answers headers beyond 16 KiB with 431', async () => {
    await start({ connections: 10, headers: 100 });
    const answer = await exchange(server.url, { path: '/', headers: { 'x-long': 'a'.repeat(17_000) } });
    expect(answer.status).to.equal(431);
    expect(heard).to.equal(0);
  });

  it('ends connections whose headers are late, so many in each turn of the loop, though all are in one moment', async () => {
    const turns = loopTurns();
    const refusedIn: number[] = [];
    server = right(
      await listen(
        listener,
        '127.0.0.1',
        0,
        () => {
          refusedIn.push(turns.now());
          return 'request-id';
        },
        { connections: 500, headersWithinMs: 300 },
      ),
    );
    const late = Array.from({ length: 200 }, open);
    for (const wire of late) wire.write('GET / HTTP/1.1\r\nHost: ');
    for (const wire of late) expect((await wire.answered(1)).map(({ status }) => status)).to.deep.equal([408]);
    turns.stop();
    expect(refusedIn.length).to.equal(200);
    const perTurn = Map.groupBy(refusedIn, (turn) => turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).to.be.at.most(40);
  });

  it('takes a new connection beyond the limit, and closes the eldest that nobody waits for an answer on', async () => {
    await start({ connections: 2, headers: 100 });
    const request = head('GET / HTTP/1.1', { host: 'ledger' });
    const first = open();
    const second = open();
    for (const wire of [first, second]) {
      wire.write(request);
      await wire.answered(1);
    }
    const third = open();
    third.write(request);
    await third.answered(1);
    await first.closed();
    second.write(request);
    await second.answered(2);
    expect(heard).to.equal(4);
  });

  it('closes a new one where an answer is waited for on all others', async () => {
    held = [];
    await start({ connections: 2, headers: 100 });
    const waiting = [open(), open()];
    for (const wire of waiting) wire.write(head('GET /held HTTP/1.1', { host: 'ledger' }));
    await until(5_000, 'both requests', () => Promise.resolve(held.length === 2 ? true : null));
    await open().closed();
    for (const release of held) release();
    for (const wire of waiting) expect((await wire.answered(1)).map(({ text }) => text)).to.deep.equal(['answered']);
  });

  it('takes the place of one whose request waits for its turn, however many fill all connections with those', async () => {
    held = [];
    await start({ connections: 20 });
    // What is at work is heard by turns of the loop, so that of one that asks on and on the next request always waits.
    const busy = Array.from({ length: 20 }, () => open());
    for (const wire of busy) wire.write(head('GET /busy HTTP/1.1', { host: 'ledger' }).repeat(30));
    const areAll = (): boolean => busy.every((wire) => wire.answers().length > 0);
    await until(5_000, 'an answer to each', () => Promise.resolve(areAll() ? true : null));
    for (let n = 0; n < 3; n += 1) {
      const wire = open();
      wire.write(`${head('POST /v1/webhooks HTTP/1.1', { host: 'ledger', 'content-length': 5 })}whole`);
      expect((await wire.answered(1)).map(({ text }) => text)).to.deep.equal(['answered']);
    }
    expect(heard, 'the flood goes on').to.be.lessThan(500);
  });

  it('keeps room for those that send, however many connections have a header and nothing behind it', async () => {
    await start({ connections: 20, headers: 100 });
    for (let n = 0; n < 60; n += 1) {
      open().write(head('POST / HTTP/1.1', { host: 'ledger', 'content-length': 100 }));
    }
    for (let n = 0; n < 5; n += 1) {
      expect((await exchange(server.url, { method: 'POST', path: '/', body: Buffer.from('whole') })).text).to.equal(
        'answered',
      );
    }
  });

  it('cuts off a caller that does not read what it asked for', async () => {
    await start({ unread: { ...PATIENT, pace: { patienceMs: 200, bytesPerSecond: 1_000_000_000 } } });
    await askUnread().cutOff;
  });

  it('keeps so many bytes at the most that nobody reads: those that have waited longest are cut off', async () => {
    await start({ unread: { ...PATIENT, bytes: 2 * LARGE.length } });
    const [first, second] = [askUnread(), askUnread(), askUnread(), askUnread()];
    await Promise.all([first.cutOff, second.cutOff]);
    expect((await exchange(server.url, { path: '/large' })).text.length).to.equal(LARGE.length);
  });

  it('takes the place of a caller that does not read an answer, which waits for nobody', async () => {
    await start({ connections: 2, unread: PATIENT });
    const unread = [askUnread(), askUnread()];
    await until(5_000, 'both answers', () => Promise.resolve(heard === 2 ? true : null));
    expect((await exchange(server.url, { path: '/' })).text).to.equal('answered');
    await Promise.race(unread.map(({ cutOff }) => cutOff));
  });
});

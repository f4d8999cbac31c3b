import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen, type HttpServer } from '../../src/http/http-server.ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

describe('limits of the server', () => {
  const wires: Wire[] = [];
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
    else answer();
  };
  const start = async (limits: { readonly connections: number; readonly headers: number }): Promise<void> => {
    server = right(await listen(listener, '127.0.0.1', 0, () => 'request-id', limits));
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
});

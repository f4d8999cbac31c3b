import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { deliveriesFirst } from '../../../src/http/connections/deliveries-first.ts';
import { HeldByPeers } from '../../../src/http/connections/held-by-peers.ts';
import { holdUnheard, MOST_UNHEARD_BYTES } from '../../../src/http/connections/hold-unheard.ts';
import { NewConnections } from '../../../src/http/connections/new-connections.ts';
import { listen } from '../../../src/http/http-server.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';
import { head, openWire } from '../../support/wire.ts';

const READ_BYTES = 65_536;

/** Headers as a provider sends them behind a proxy or two. */
const HEADERS = Array.from({ length: 16 }, (_, n) => [`x-header-${n}`, 'a'.repeat(60)]).flat();

describe('requests that wait at the front of their connections', () => {
  const scene = () => {
    const all = new HeldByPeers(MOST_UNHEARD_BYTES);
    const heard: Socket[] = [];
    const listener = deliveriesFirst(
      new NewConnections(),
      all,
      () => false,
      ({ socket }) => heard.push(socket),
    );
    const ask = (remoteAddress: string, url: string, length: number, came = 0) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
      const request = new IncomingMessage(socket);
      Object.assign(request, { url, rawHeaders: HEADERS });
      request.headers['content-length'] = String(length);
      const response = new ServerResponse(request);
      listener(request, response);
      if (came > 0) request.push(Buffer.alloc(came));
      return { socket, response };
    };
    const allHeard = (count: number): Promise<unknown> =>
      until(10_000, 'all of them', () => Promise.resolve(heard.length === count ? true : null));
    return { all, heard, ask, allHeard };
  };

  it('hold so much together, their bodies with them: of who holds most the eldest are cut off, and others are heard', async () => {
    const { all, heard, ask } = scene();
    const other = ask('192.0.2.2', '/other', 0);
    const many = Array.from({ length: 1_000 }, (_, n) =>
      ask('192.0.2.1', n % 2 === 0 ? '/other' : '/v1/webhooks', 1_000_000, READ_BYTES),
    );
    const left = many.filter(({ socket }) => !socket.destroyed);
    expect(left.length * READ_BYTES).to.be.within(MOST_UNHEARD_BYTES / 2, MOST_UNHEARD_BYTES);
    expect(left.slice(8)).to.deep.equal(many.slice(-left.length).slice(8));
    await until(10_000, 'those that are left', () => Promise.resolve(heard.length === 1 + left.length ? true : null));
    expect(heard).to.include(other.socket);
    expect(all.left, 'nothing is held of what was heard').to.equal(MOST_UNHEARD_BYTES);
  });

  it('count what came of their bodies, and nothing of what is announced: who announces much has nobody cut off', async () => {
    const { all, ask, allHeard } = scene();
    const other = ask('192.0.2.1', '/other', 2_048, 2_048);
    const many = Array.from({ length: 2_000 }, (_, n) => ask('192.0.2.1', '/v1/webhooks', READ_BYTES, n % 2));
    expect([other, ...many].filter(({ socket }) => socket.destroyed)).to.have.length(0);
    await allHeard(1 + many.length);
    expect(all.left).to.equal(MOST_UNHEARD_BYTES);
  });

  it('are all heard where a new provider sends two thousand deliveries at once', async () => {
    const { ask, allHeard } = scene();
    const sent = Array.from({ length: 2_000 }, () => ask('192.0.2.1', '/v1/webhooks', 2_048, 2_048));
    await allHeard(sent.length);
    expect(sent.filter(({ socket }) => socket.destroyed)).to.have.length(0);
  });

  it('give back what they held when their caller is gone, and are not heard', async () => {
    const { all, heard, ask } = scene();
    const waiting = Array.from({ length: 100 }, () => ask('192.0.2.1', '/other', 2_048));
    expect(all.left).to.be.lessThan(MOST_UNHEARD_BYTES);
    for (const { response } of waiting) response.emit('close');
    expect(all.left).to.equal(MOST_UNHEARD_BYTES);
    const before = heard.length;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(heard).to.have.length(before);
  });

  it('have nothing more read of a connection that is being ended', () => {
    const all = new HeldByPeers(MOST_UNHEARD_BYTES);
    const readOnAfter = (end: (socket: Socket) => void): boolean => {
      const socket = new Socket();
      const request = new IncomingMessage(socket);
      request.headers['content-length'] = '1000000';
      const heard = holdUnheard(all, request);
      expect(socket.isPaused()).to.equal(true);
      end(socket);
      heard();
      const isRead = !socket.isPaused();
      socket.destroy();
      return isRead;
    };
    expect(readOnAfter(() => undefined)).to.equal(true);
    expect(readOnAfter((socket) => socket.end('the last answer'))).to.equal(false);
  });

  it('have no more of their bodies read than came with their headers, and all of it when they are heard', async () => {
    const body = Buffer.alloc(1_000_000, 'z');
    const ready: number[] = [];
    const server = right(
      await listen(
        (request, response) => {
          ready.push(request.readableLength);
          const end = performance.now() + 3;
          while (performance.now() < end);
          let bytes = 0;
          request.on('data', (part: Buffer) => (bytes += part.length));
          request.on('end', () => response.end(String(bytes)));
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const wires = Array.from({ length: 60 }, (_, n) => {
      const wire = openWire(server.url);
      const lines = n % 2 === 0 ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' };
      wire.write(head(`POST /${n} HTTP/1.1`, { host: 'ledger', ...lines }));
      wire.write(n % 2 === 0 ? body : Buffer.concat([Buffer.from('f4240\r\n'), body, Buffer.from('\r\n0\r\n\r\n')]));
      return wire;
    });
    try {
      for (const wire of wires) expect((await wire.answered(1))[0]?.text).to.equal(String(body.length));
      expect(Math.max(...ready)).to.be.at.most(READ_BYTES);
    } finally {
      for (const wire of wires) wire.cut();
      await server.close();
    }
  });
});

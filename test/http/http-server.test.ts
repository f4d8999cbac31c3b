import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../src/concurrency/in-time.ts';
import { listen, type HttpServer } from '../../src/http/http-server.ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { head, openWire } from '../support/wire.ts';

describe('the server', () => {
  const serve = async (): Promise<HttpServer> =>
    right(
      await listen(
        (_request, response) => response.end('here'),
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );

  it('says which port is taken', async () => {
    const server = await serve();
    const port = Number(new URL(server.url).port);
    const second = await listen(
      () => undefined,
      '127.0.0.1',
      port,
      () => 'request-id',
    );
    await server.close();
    expect(E.isLeft(second) ? second.left.detail : '').to.match(
      new RegExp(`PORT ${port} on 127.0.0.1 is taken; set PORT`),
    );
  });

  it('says that it can not listen on a host that is not here', async () => {
    const elsewhere = await listen(
      () => undefined,
      '192.0.2.1',
      0,
      () => 'request-id',
    );
    expect(E.isLeft(elsewhere) ? elsewhere.left : null).to.deep.equal({
      _tag: 'HostNotHere',
      detail:
        'HOST: 192.0.2.1 is no address of this machine (EADDRNOTAVAIL); give one of its own, 127.0.0.1, or 0.0.0.0 for all',
    });
  });

  it('closes idle connections at once, silent ones with the last request, and closing twice is closing once', async () => {
    const entered = Promise.withResolvers<() => void>();
    const server = right(
      await listen(
        ({ url }, response) => {
          const reply = (): void => void response.end('here');
          if (url === '/late') entered.resolve(reply);
          else reply();
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const idle = openWire(server.url);
    idle.write(head('GET / HTTP/1.1', { host: 'x' }));
    await idle.answered(1);
    const silent = openWire(server.url);
    silent.write('GET / HT');
    expect((await exchange(server.url, { path: '/' })).text).to.equal('here');
    const late = exchange(server.url, { path: '/late' });
    const reply = await entered.promise;
    const closed = [server.close(), server.close()];
    await idle.closed();
    // Where that was the time at which all is cut off, this one would be too.
    reply();
    expect((await late).text).to.equal('here');
    await Promise.all([...closed, silent.closed()]);
    for (const wire of [idle, silent]) wire.cut();
  });

  it('answers what is for a proxy alone, and closes the connection', async () => {
    const server = await serve();
    const wire = openWire(server.url);
    wire.write(head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' }));
    const [answer] = await wire.answered(1);
    expect(answer).to.deep.include({ status: 400 });
    expect(answer?.headers).to.include({ 'x-request-id': 'request-id' });
    expect(JSON.parse(answer?.text ?? '')).to.include({ code: 'bad-request' });
    await wire.closed();
    await server.close();
  });

  it('outlives whoever asks a proxy and is gone before the answer', async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    const gone = Array.from({ length: 50 }, async () => {
      const socket = connect({ host: '127.0.0.1', port: Number(port) });
      await once(socket, 'connect');
      socket.write(head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' }));
      socket.resetAndDestroy();
    });
    await Promise.all(gone);
    expect((await exchange(server.url, { path: '/' })).text).to.equal('here');
    await server.close();
  });

  it('closes a connection that a proxy was asked on behind an answer that had begun', async () => {
    const begun = Promise.withResolvers<() => void>();
    const server = right(
      await listen(
        (_request, response) => {
          response.setHeader('Content-Length', 4).write('he');
          begun.resolve(() => response.end('re'));
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const wire = openWire(server.url);
    const asked = head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' });
    wire.write(head('GET / HTTP/1.1', { host: 'x' }) + asked);
    const finish = await begun.promise;
    finish();
    await wire.closed();
    expect(wire.received()).to.match(/here$/);
    await server.close();
  });

  it('sees the end of a connection that a proxy was asked on behind an answer without one', async () => {
    const server = right(
      await listen(
        (_request, response) => response.flushHeaders(),
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const wire = openWire(server.url);
    const asked = head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' });
    wire.write(head('GET / HTTP/1.1', { host: 'x' }) + asked);
    wire.end();
    await wire.closed();
    await server.close();
  });

  it('is not held from closing by a connection that a proxy was asked on behind an answer that nobody reads', async () => {
    const server = right(
      await listen(
        (_request, response) => response.end(Buffer.alloc(16_000_000)),
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const { port } = new URL(server.url);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.on('error', () => undefined).pause();
    const asked = head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' });
    socket.write(head('GET / HTTP/1.1', { host: 'x' }) + asked);
    await once(socket, 'readable');
    try {
      const isClosed = server.close().then(() => true);
      expect(await inTime(8_000, isClosed, false)).to.equal(true);
    } finally {
      socket.destroy();
    }
  });

  it('finishes what is under way before it closes', async () => {
    let finish: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let reply: () => void = () => undefined;
    const server = right(
      await listen(
        (_request, response) => {
          reply = () => response.end('late');
          finish();
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const answer = exchange(server.url, { path: '/' });
    await entered;
    const closed = server.close();
    reply();
    expect((await answer).text).to.equal('late');
    await closed;
  });
});

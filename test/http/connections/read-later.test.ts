import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect } from 'chai';
import { readLater } from '../../../src/http/connections/read-later.ts';
import { createServer } from '../../../src/http/node-http.ts';
import { exchange } from '../../support/exchange.ts';
import { until } from '../../support/until.ts';
import { head, openWire } from '../../support/wire.ts';

describe('a connection that is to be read later', () => {
  it('is read no further though Node was about to read on, until it is said to be', async () => {
    let made = 0;
    const count = (): void => void (made += 1);
    const held: (() => void)[] = [];
    const server = createServer({}, (request, response) => {
      if (request.url !== '/held') {
        response.end();
        return;
      }
      const { socket } = request;
      // Behind a request Node reads on by itself. Here it is paused again before Node does, and is not told so a second time.
      setImmediate(() => {
        socket.pause();
        socket.resume();
        if (held.length === 0) held.push(readLater(socket));
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const wire = openWire(url);
    try {
      wire.write(head('GET /held HTTP/1.1', { host: 'a' }));
      const readOn = await until(5_000, 'the first request', () => Promise.resolve(held[0] ?? null));
      subscribe('http.server.request.start', count);
      wire.write(head('GET /held HTTP/1.1', { host: 'a' }));
      for (let n = 1; n <= 20; n += 1) {
        await exchange(url, { path: '/other' });
        expect(made, 'the others alone').to.equal(n);
      }
      readOn();
      await until(5_000, 'the second request', () => Promise.resolve(made === 21 ? true : null));
    } finally {
      unsubscribe('http.server.request.start', count);
      wire.cut();
      server.closeAllConnections();
      server.close();
    }
  });
});

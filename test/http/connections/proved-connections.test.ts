import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough, type Duplex } from 'node:stream';
import { expect } from 'chai';
import { lastProofBy, notProvedBy, provedBy, whenProved } from '../../../src/http/connections/proved-connections.ts';
import { deliver, exchange } from '../../support/exchange.ts';
import { onRamp } from '../../support/payloads.ts';
import { assembleLedger, READER_KEY } from '../../support/running-ledger.ts';
import { head, openWire } from '../../support/wire.ts';

describe('a connection', () => {
  it('is told of when a delivery or a key that came by it was proved, once, and never of anything else', async () => {
    const ledger = await assembleLedger();
    let proved = 0;
    const server = createServer((request, response) => {
      whenProved(request.socket, () => {
        proved += 1;
      });
      ledger.answer(request, response);
    });
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      const tells = async (ask: Promise<unknown>): Promise<number> => {
        const before = proved;
        await ask;
        return proved - before;
      };
      const asking = (key: string) =>
        exchange(url, { path: '/v1/orders', headers: { authorization: `Bearer ${key}` } });
      expect(await tells(deliver(url, onRamp()))).to.equal(1);
      expect(await tells(asking(READER_KEY))).to.equal(1);
      expect(await tells(deliver(url, onRamp(), { signature: '0'.repeat(64) }))).to.equal(0);
      expect(await tells(asking(`${READER_KEY}x`))).to.equal(0);
      expect(await tells(exchange(url, { path: '/livez' }))).to.equal(0);
    } finally {
      server.closeAllConnections();
      server.close();
      await ledger.close();
    }
  });

  it('tells whether the last delivery that came by it was proved, in whatever spelling it came, or a key since', async () => {
    const ledger = await assembleLedger();
    const before: (boolean | null)[] = [];
    const sockets: Duplex[] = [];
    const server = createServer((request, response) => {
      before.push(lastProofBy(request.socket));
      sockets.push(request.socket);
      ledger.answer(request, response);
    });
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      const wire = openWire(url);
      const forged = (path: string) => head(`POST ${path} HTTP/1.1`, { host: '127.0.0.1', 'content-length': 0 });
      const asking = (key: string) =>
        head('GET /v1/orders HTTP/1.1', { host: '127.0.0.1', authorization: `Bearer ${key}` });
      const sent = [
        asking(`${READER_KEY}x`),
        asking(READER_KEY),
        forged('/v1/webhooks'),
        asking(`${READER_KEY}x`),
        asking(READER_KEY),
        forged('/v1/Webhooks/'),
        head('GET /livez HTTP/1.1', { host: '127.0.0.1' }),
      ];
      for (const [i, request] of sent.entries()) {
        wire.write(request);
        await wire.answered(i + 1);
      }
      expect(new Set(sockets).size).to.equal(1);
      expect(before).to.deep.equal([null, null, true, false, false, true, false]);
      wire.cut();
    } finally {
      server.closeAllConnections();
      server.close();
      await ledger.close();
    }
  });

  it('tells once, however often somebody proves who they are by it', () => {
    const socket = new PassThrough();
    let times = 0;
    whenProved(socket, () => {
      times += 1;
    });
    provedBy(socket);
    notProvedBy(socket);
    provedBy(socket);
    expect(times).to.equal(1);
  });
});

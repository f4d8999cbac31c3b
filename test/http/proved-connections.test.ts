import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { provedBy, whenProved } from '../../src/http/proved-connections.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { assembleLedger, READER_KEY } from '../support/running-ledger.ts';

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

  it('tells once, however often somebody proves who they are by it', () => {
    const socket = new PassThrough();
    let times = 0;
    whenProved(socket, () => {
      times += 1;
    });
    provedBy(socket);
    provedBy(socket);
    expect(times).to.equal(1);
  });
});

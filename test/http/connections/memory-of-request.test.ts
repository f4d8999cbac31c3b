import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { memoryOfRequest } from '../../../src/http/connections/memory-of-request.ts';
import { createServer } from '../../../src/http/node-http.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { until } from '../../support/until.ts';
import { head } from '../../support/wire.ts';

const COUNT = 2_000;
const IN_A_PACKET = 20;

describe('memory of a request that nobody has heard', () => {
  for (const lines of [0, 10, 98]) {
    it(`is reckoned to be no less than what Node keeps of one with ${lines} short headers, and no more than twice that`, async () => {
      const kept: [IncomingMessage, ServerResponse][] = [];
      const server = createServer({}, (request, response) => kept.push([request, response]));
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const short = Object.fromEntries(Array.from({ length: lines }, (_, n) => [`x${n}`, '']));
      const packet = head('GET /livez HTTP/1.1', { host: 'a', ...short }).repeat(IN_A_PACKET);
      const sockets: Socket[] = [];
      try {
        collectGarbage();
        const before = process.memoryUsage().heapUsed;
        for (let n = 0; n < COUNT; n += IN_A_PACKET) {
          const socket = connect({ host: '127.0.0.1', port });
          sockets.push(socket);
          socket.write(packet);
        }
        await until(20_000, 'all requests', () => Promise.resolve(kept.length === COUNT ? true : null));
        collectGarbage();
        const each = (process.memoryUsage().heapUsed - before) / COUNT;
        const [first] = kept;
        if (first === undefined) expect.fail('no request');
        expect(memoryOfRequest(first[0])).to.be.within(each, 2 * each);
      } finally {
        for (const socket of sockets) socket.destroy();
        server.closeAllConnections();
        server.close();
      }
    });
  }
});

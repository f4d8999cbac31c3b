import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { listen } from '../../../src/http/http-server.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';
import { head } from '../../support/wire.ts';

/** More than the system keeps for a connection. */
const LARGE = Buffer.alloc(16_000_000);
const BODY = Buffer.alloc(1_000_000, 'z');

describe('a body that nobody reads', () => {
  it('is thrown away when its answer is made, also where the caller does not read that', async () => {
    const asked: [IncomingMessage, ServerResponse][] = [];
    const server = right(
      await listen(
        (request, response) => {
          asked.push([request, response]);
          response.end(LARGE);
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(head('POST / HTTP/1.1', { host: 'ledger', 'content-length': BODY.length }));
    socket.write(BODY);
    try {
      const [request, response] = await until(5_000, 'the whole body', () => {
        const [first] = asked;
        return Promise.resolve(first?.[0].complete === true ? first : null);
      });
      expect([request.readableLength, response.writableFinished]).to.deep.equal([0, false]);
    } finally {
      socket.destroy();
      await server.close();
    }
  });
});

import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { listen, type HttpServer } from '../../src/http/http-server.ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { head, openWire, type Wire } from '../support/wire.ts';

const MOST_WAITING = 32;

const requests = (count: number): string =>
  Array.from({ length: count }, (_, n) => head(`GET /${n} HTTP/1.1`, { host: 'ledger' })).join('');

describe('requests of one connection', () => {
  let server: HttpServer;
  let wire: Wire;
  let heard: string[];
  let held: ServerResponse[];

  beforeEach(async () => {
    heard = [];
    held = [];
    server = right(
      await listen(
        ({ url = '' }, response) => {
          heard.push(url);
          if (url === '/other') response.end('other');
          else held.push(response);
        },
        '127.0.0.1',
        0,
        () => 'request-id',
      ),
    );
    wire = openWire(server.url);
  });
  afterEach(async () => {
    wire.cut();
    await server.close();
  });

  const isHeard = (url: string): Promise<unknown> =>
    until(5_000, url, () => Promise.resolve(heard.includes(url) ? true : null));

  it('are heard one after the other, each when the one before is answered', async () => {
    wire.write(requests(3));
    await isHeard('/0');
    expect((await exchange(server.url, { path: '/other' })).text).to.equal('other');
    expect(heard).to.deep.equal(['/0', '/other']);
    held[0]?.end('0');
    await isHeard('/1');
    expect((await exchange(server.url, { path: '/other' })).text).to.equal('other');
    expect(heard).to.deep.equal(['/0', '/other', '/1', '/other']);
    held[1]?.end('1');
    await isHeard('/2');
    held[2]?.end('2');
    expect((await wire.answered(3)).map(({ text }) => text)).to.deep.equal(['0', '1', '2']);
  });

  it('may be so many that nobody asks at once; one more cuts them off', async () => {
    wire.write(requests(1 + MOST_WAITING));
    await isHeard('/0');
    held[0]?.end('0');
    await isHeard('/1');
    wire.write(requests(2));
    await wire.closed();
    expect(heard).to.deep.equal(['/0', '/1']);
  });
});

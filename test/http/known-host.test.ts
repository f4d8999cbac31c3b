import { expect } from 'chai';
import { isLoopback } from '../../src/config/index.ts';
import { isKnownHost } from '../../src/http/known-host.ts';
import { refused } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const PUBLIC = 'https://ledger.example';
const LOOPBACK = ['127.0.0.1', '127.0.0.1:8080', 'localhost:9000', 'LOCALHOST', '127.8.9.1', '[::1]:8080'];
const FOREIGN = [
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  'x:y',
  'a b',
  '[::2]',
  'evil.example@localhost',
  'localhost/.evil.example',
  'localhost?',
  'localhost#x',
  'localhost\\x',
  'evil.example@ledger.example',
  'ledger.example/x',
];
const PAGES = ['/', '/console/orders', '/sign-in'];
const OTHERS = ['/v1/orders', '/metrics', '/openapi.json', '/docs', '/nothing'];
const UNDER_ANY = ['/v1/webhooks', '/livez', '/readyz'];

describe('the host that a request names', () => {
  const allowed = (
    publicUrl: string | null,
    listensOnLoopback: boolean,
    paths: readonly string[],
    hosts: readonly string[],
  ) =>
    new Set(
      paths.flatMap((path) =>
        hosts.map((host) => isKnownHost({ publicUrl, listensOnLoopback, isLoopback }, path, host)),
      ),
    );
  const [yes, no] = [new Set([true]), new Set([false])];

  it('is any for deliveries and probes, and for who names none', () => {
    for (const publicUrl of [null, PUBLIC]) {
      for (const onLoopback of [true, false]) {
        expect(allowed(publicUrl, onLoopback, UNDER_ANY, [...LOOPBACK, ...FOREIGN])).to.deep.equal(yes);
        expect(allowed(publicUrl, onLoopback, [...PAGES, ...OTHERS], [''])).to.deep.equal(yes);
      }
    }
  });

  it("is this machine's, where the ledger listens there and nothing else is said", () => {
    expect(allowed(null, true, [...PAGES, ...OTHERS], LOOPBACK)).to.deep.equal(yes);
    expect(allowed(null, true, [...PAGES, ...OTHERS], [...FOREIGN, 'ledger.example'])).to.deep.equal(no);
  });

  it('is any where it listens elsewhere and nothing is said', () => {
    expect(allowed(null, false, [...PAGES, ...OTHERS], [...LOOPBACK, ...FOREIGN])).to.deep.equal(yes);
  });

  it('is the public one where that is said; programs on this machine, or elsewhere with a key, may use others', () => {
    for (const onLoopback of [true, false]) {
      expect(
        allowed(PUBLIC, onLoopback, [...PAGES, ...OTHERS], ['ledger.example', 'LEDGER.example:443']),
      ).to.deep.equal(yes);
      expect(allowed(PUBLIC, onLoopback, PAGES, [...LOOPBACK, ...FOREIGN, 'ledger.example:8080'])).to.deep.equal(no);
    }
    expect(allowed(PUBLIC, true, ['/v1/orders', '/metrics', '/docs'], LOOPBACK)).to.deep.equal(yes);
    expect(allowed(PUBLIC, true, ['/v1/orders', '/metrics', '/docs'], FOREIGN)).to.deep.equal(no);
    expect(allowed(PUBLIC, false, ['/v1/orders', '/metrics'], FOREIGN)).to.deep.equal(yes);
    expect(allowed(PUBLIC, false, ['/openapi.json', '/docs'], FOREIGN)).to.deep.equal(no);
  });

  describe('of a ledger on a loopback host', () => {
    let ledger: RunningLedger;
    before(async () => {
      ledger = await startLedger();
    });
    after(() => ledger.close());

    it('keeps a page of another site from reading it by a name of its own', async () => {
      const headers = { host: 'rebound.example', authorization: `Bearer ${API_KEY}` };
      for (const path of ['/metrics', '/v1/orders', '/openapi.json', '/', '/nothing-here']) {
        const answer = await exchange(ledger.url, { path, headers });
        const { detail } = refused(answer, 400, 'wrong-host');
        expect(detail).to.include('PUBLIC_URL').and.not.include('rebound');
      }
      expect((await exchange(ledger.url, { path: '/livez', headers })).status).to.equal(200);
      expect((await deliver(ledger.url, onRamp(), { headers })).status).to.equal(200);
      expect((await exchange(ledger.url, { path: '/metrics' })).status).to.equal(200);
    });
  });
});

import { expect } from 'chai';
import * as fc from 'fast-check';
import { accepted, refused } from '../support/answers.ts';
import { exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { READER_KEY } from '../support/running-ledger.ts';
import { first, ledgerAtWires } from './request-scene.ts';

describe('targets of HTTP requests', () => {
  const { ledger, open } = ledgerAtWires();

  it('whose query has an ill-formed escape are refused where it is read, and no delivery or health check is', async () => {
    const headers = { authorization: `Bearer ${READER_KEY}` };
    const ill = '%80&'.repeat(3_000);
    for (const path of ['/v1/orders', '/v1/orders/a', '/v1/log/key', '/metrics']) {
      const answer = await exchange(ledger().url, { path: `${path}?${ill}`, headers });
      expect(answer.status, path).to.equal(400);
      expect(answer.text, path).to.include('"code":"invalid-parameter"');
    }
    for (const path of ['/livez', '/readyz']) {
      expect((await exchange(ledger().url, { path: `${path}?${ill}` })).status, path).to.equal(200);
    }
    const body = bodyOf(onRamp());
    const signed = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
    accepted(await exchange(ledger().url, { method: 'POST', path: `/v1/webhooks?${ill}`, headers: signed, body }));
  });

  for (const target of [
    'http://[',
    'http://',
    'http:///livez',
    'http://x:99999/livez',
    'http://%zz/livez',
    'https://[::1',
    'ftp://x/livez',
    'urn:livez',
    'a:b',
    '*',
    '/livez#x',
    '/livez\u00a0x',
    '/\\livez',
  ]) {
    it(`that are none are 400: ${JSON.stringify(target)}`, async () => {
      const wire = open();
      wire.write(Buffer.from(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`, 'latin1'));
      refused(first(await wire.answered(1)), 400, 'bad-request');
      await wire.closed();
    });
  }

  it('that name a host are answered like their path', async () => {
    const wire = open();
    wire.write('GET http://user:pass@x/livez?a=b HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(first(await wire.answered(1)).status).to.equal(200);
  });

  for (const [target, host] of [
    ['http://rebound.example/openapi.json', 'localhost'],
    ['HTTP://localhost@rebound.example:80/openapi.json', '127.0.0.1'],
    ['https://rebound.example/', 'localhost'],
  ] as const)
    it(`that name a foreign host are refused as one in Host is, whatever that says: ${target}`, async () => {
      const wire = open();
      wire.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      refused(first(await wire.answered(1)), 400, 'wrong-host');
    });

  it('that name the ledger’s own host are answered whatever Host says; deliveries and health checks under any', async () => {
    const body = bodyOf(onRamp({ orderId: 'under-any-name' }));
    const asked = async (line: string, host: string, more = ''): Promise<number> => {
      const wire = open();
      wire.write(`${line} HTTP/1.1\r\nhost: ${host}\r\n${more}\r\n`);
      return first(await wire.answered(1)).status;
    };
    expect(await asked('GET http://localhost:80/openapi.json', 'rebound.example')).to.equal(200);
    for (const path of ['/livez', '/readyz'])
      expect(await asked(`GET http://rebound.example${path}`, 'localhost'), path).to.equal(200);
    const signed = `content-type: application/json\r\nx-service-signature: ${signatureOf(body)}\r\n`;
    const sent = `${signed}content-length: ${body.length}\r\n\r\n${body.toString()}`;
    const wire = open();
    wire.write(`POST http://rebound.example/v1/webhooks HTTP/1.1\r\nhost: localhost\r\n${sent}`);
    accepted(first(await wire.answered(1)));
  });

  it('of any characters are never a fault of the ledger', async () => {
    const anything = fc.string({
      unit: fc.constantFrom(...Array.from('/:@[]%#?*\\;.a1\u00e9\u00a0')),
      maxLength: 12,
    });
    const start = fc.constantFrom('', '/', '//', 'http://', 'HTTPS://', 'x:');
    await fc.assert(
      fc.asyncProperty(start, anything, async (prefix, rest) => {
        const wire = open();
        wire.write(Buffer.from(`GET ${prefix}${rest} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'));
        await wire.closed();
        expect(wire.received()).to.match(/^HTTP\/1\.1 [2-4]\d\d /);
        wire.cut();
      }),
      { numRuns: 300 },
    );
  });
});

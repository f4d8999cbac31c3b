import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { READER_KEY } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';
import { head } from '../support/wire.ts';
import { ledgerAtWires } from './request-scene.ts';

describe('access lines of HTTP requests', () => {
  const { ledger } = ledgerAtWires();

  it('are one for each request, with what became of it, and nothing of the path that came', async () => {
    const from = ledger().accessLines.length;
    const headers = { 'x-request-id': 'access-line-test' };
    await deliver(ledger().url, onRamp(), { headers });
    await deliver(ledger().url, onRamp(), { headers, signature: null });
    await deliver(ledger().url, 'no JSON', { headers });
    await exchange(ledger().url, { path: '/v1/orders/x?q=asha.rao@example.com', headers });
    await exchange(ledger().url, { path: '/nowhere?a=b?c=d', headers });
    const lines = ledger().accessLines.slice(from);
    expect(lines.map(({ method, route, status, outcome }) => [method, route, status, outcome])).to.deep.equal([
      ['POST', '/v1/webhooks', 200, 'recorded'],
      ['POST', '/v1/webhooks', 401, 'signature-missing'],
      ['POST', '/v1/webhooks', 200, 'quarantined'],
      ['GET', '/v1/orders/:orderId', 401, undefined],
      ['GET', 'none', 404, undefined],
    ]);
    for (const line of lines) {
      expect(line.requestId).to.equal('access-line-test');
      expect(line.durationMs).to.be.within(0, 5_000);
    }
  });

  it('say whether a key or a signature proved who asked, whatever became of it', async () => {
    const from = ledger().accessLines.length;
    const authorization = `Bearer ${READER_KEY}`;
    const body = bodyOf(onRamp());
    const elsewhere = (signature = signatureOf(body)) => ({
      method: 'POST',
      path: '/v1/webhooks?by=another-spelling',
      headers: { 'content-type': 'application/json', 'x-service-signature': signature },
      body,
    });
    await deliver(ledger().url, onRamp());
    await deliver(ledger().url, 'no JSON');
    await exchange(ledger().url, elsewhere());
    await deliver(ledger().url, onRamp(), { signature: '0'.repeat(64) });
    await exchange(ledger().url, elsewhere('0'.repeat(64)));
    await exchange(ledger().url, { path: '/v1/orders', headers: { authorization } });
    await exchange(ledger().url, { path: '/v1/audit', headers: { authorization } });
    await exchange(ledger().url, { path: '/v1/orders', headers: { authorization: `${authorization}x` } });
    await exchange(ledger().url, { path: '/nowhere', headers: { authorization } });
    await exchange(ledger().url, { path: '/livez' });
    const lines = ledger().accessLines.slice(from);
    expect(lines.map(({ status, proved, apiKeyId }) => [status, proved, apiKeyId])).to.deep.equal([
      [200, true, undefined],
      [200, true, undefined],
      [200, true, undefined],
      [401, false, undefined],
      [401, false, undefined],
      [200, true, 'reader'],
      [403, true, 'reader'],
      [401, false, undefined],
      [404, false, undefined],
      [200, false, undefined],
    ]);
  });

  it('of a caller that goes away before the answer is there tell so without a stack', async () => {
    const { hostname, port } = new URL(ledger().url);
    const caller = connect({ host: hostname, port: Number(port) });
    caller.on('error', () => undefined);
    // More than lies between two programs, so that the rest is being written when the connection is reset.
    caller.write(head('GET /openapi.json HTTP/1.1', { host: hostname }).repeat(30));
    await once(caller, 'readable');
    caller.resetAndDestroy();
    const line = await until(10_000, 'the cut-off reply', () =>
      // Those that waited behind it had no route yet.
      Promise.resolve(ledger().cutOffs.find(({ route }) => route === '/openapi.json') ?? null),
    );
    expect(line).to.include({ status: 200, proved: false }).and.not.have.property('err');
    expect(line).to.have.property('reason').that.is.oneOf(['ECONNRESET', 'EPIPE']);
  });
});

import { expect } from 'chai';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

describe('security headers', () => {
  let api: ServedApi;
  before(async () => {
    api = await serveApi();
  });
  after(() => api.close());

  for (const [path, scopes] of [
    ['/livez', null],
    ['/v1/orders', 'orders:read'],
    ['/v1/orders', null],
    ['/v1/orders/unknown', 'orders:read'],
    ['/nothing', null],
  ] as const) {
    it(`are on the answer to ${path} ${scopes === null ? 'without a key' : `with ${scopes}`}`, async () => {
      const { headers } = await api.ask(path, scopes);
      expect(headers.get('content-security-policy')).to.equal(
        "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
      expect(headers.get('strict-transport-security')).to.match(/^max-age=\d+$/);
      expect(headers.has('x-powered-by')).to.equal(false);
    });
  }

  it('take the place of none that is promised', async () => {
    const list = await api.ask('/v1/orders', 'orders:read');
    expect(list.headers.get('cache-control')).to.equal('private, no-store');
    expect(list.headers.get('x-request-id')).to.match(/^generated-/);
    const refused = await api.ask('/v1/orders', null);
    expect(refused.headers.get('www-authenticate')).to.equal('Bearer realm="ramp-ledger"');
    expect(refused.headers.get('content-type')).to.equal('application/problem+json');
  });
});

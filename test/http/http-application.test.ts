import { Router } from '@koa/router';
import { expect } from 'chai';
import type { ApiRouter } from '../../src/http/api-context.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const webhooks = (): ApiRouter => {
  const router: ApiRouter = new Router();
  router.post('/v1/webhooks', (ctx) => {
    ctx.status = 200;
    ctx.body = { outcome: 'recorded' };
  });
  router.get('/broken', () => {
    throw new Error('secret of the house');
  });
  return router;
};

describe('the HTTP interface', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi({}, [{ router: webhooks(), operations: [] }]);
  });
  afterEach(() => api.close());

  const bodyOf = async (response: Response): Promise<unknown> => response.json();

  describe('request ids', () => {
    it('are generated, and on every reply', async () => {
      const ids: (string | null)[] = [];
      for (const path of ['/livez', '/v1/orders/x', '/nothing', '/v1/webhooks', '/broken']) {
        ids.push((await api.ask(path, null)).headers.get('x-request-id'));
      }
      expect(ids).to.deep.equal([1, 2, 3, 4, 5].map((n) => `generated-${n}`));
    });

    it("are the caller's own where they are well-formed, in the problem too", async () => {
      const own = 'abc_DEF.1:2-3';
      const headers = { 'X-Request-Id': own };
      const response = await api.ask('/nothing', null, { headers });
      expect(response.headers.get('x-request-id')).to.equal(own);
      expect(await bodyOf(response)).to.include({ requestId: own });
      for (const sent of ['short', 'x'.repeat(129), 'with blank here', 'umlaut-ä-ä-ä', '12345678, 12345678']) {
        const answer = await api.ask('/livez', null, { headers: { 'X-Request-Id': sent } });
        expect(answer.headers.get('x-request-id'), sent).to.match(/^generated-/);
      }
    });
  });

  describe('what has no route', () => {
    it('is not found', async () => {
      for (const path of [
        '/',
        '/v1',
        '/v1/orders/',
        '/v1/orders/a/b',
        '/V1/orders/a',
        '/v1/orders/a/',
        '/v1/orders//events',
        '/v1/quarantine/a',
        '/v1/quarantine//release',
        '/v1/reports',
        '/v1/audit/a',
        '/livez/',
      ]) {
        const response = await api.ask(path, 'orders:read');
        expect(response.status, path).to.equal(404);
        expect(await bodyOf(response)).to.include({
          type: 'urn:ramp-ledger:problem:not-found',
          code: 'not-found',
          status: 404,
        });
      }
    });

    it('with another method is told which one', async () => {
      const cases: readonly (readonly [string, string, string])[] = [
        ['GET', '/v1/webhooks', 'POST'],
        ['PUT', '/v1/webhooks', 'POST'],
        ['OPTIONS', '/v1/webhooks', 'POST'],
        ['POST', '/v1/orders/a', 'GET, HEAD'],
        ['DELETE', '/v1/orders/a/events', 'GET, HEAD'],
        ['POST', '/v1/orders', 'GET, HEAD'],
        ['PUT', '/v1/audit', 'GET, HEAD'],
        ['POST', '/v1/reports/onramp', 'GET, HEAD'],
        ['DELETE', '/v1/quarantine', 'GET, HEAD'],
        ['GET', '/v1/quarantine/a/release', 'POST'],
        ['POST', '/readyz', 'GET, HEAD'],
      ];
      for (const [method, path, allowed] of cases) {
        const response = await api.ask(path, null, { method });
        expect([response.status, response.headers.get('allow')], `${method} ${path}`).to.deep.equal([405, allowed]);
        expect(await bodyOf(response)).to.include({ code: 'method-not-allowed' });
      }
      expect((await api.ask('/v1/webhooks', null, { method: 'POST' })).status).to.equal(200);
    });
  });

  it('tells nobody but the log of an unexpected error', async () => {
    const response = await api.ask('/broken', null);
    expect(response.status).to.equal(500);
    expect(response.headers.get('content-type')).to.equal('application/problem+json');
    const text = await response.text();
    expect(text).to.include('"code":"internal-error"').and.not.to.include('secret of the house');
    expect(api.logged).to.have.length(1);
    expect(api.logged[0]?.fields).to.have.nested.property('err.message', 'secret of the house');
    expect(api.logged[0]?.fields).to.have.property('requestId', response.headers.get('x-request-id'));
  });

  it('lives, and is ready as long as the store takes deliveries', async () => {
    const ready = await api.ask('/readyz', null);
    expect([ready.status, await bodyOf(ready)]).to.deep.equal([200, { status: 'ready' }]);
    api.store.takeAway('disk full');
    const away = await api.ask('/readyz', null);
    expect(away.status).to.equal(503);
    expect(Number(away.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(await bodyOf(away)).to.include({ code: 'not-ready' });
    expect((await api.ask('/livez', null)).status).to.equal(200);
  });

  it('answers HEAD as GET, without the body', async () => {
    const response = await api.ask('/livez', null, { method: 'HEAD' });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
  });
});

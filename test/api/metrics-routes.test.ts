import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { metricsRoutes } from '../../src/api/metrics-routes.ts';
import { isLoopback } from '../../src/config/loopback.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { exchange } from '../support/exchange.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

describe('GET /metrics', () => {
  let api: ServedApi;
  let pages = 0;
  const routes = (open: boolean) =>
    metricsRoutes({
      open,
      isLoopback,
      page: () => {
        pages += 1;
        return Promise.resolve({ type: TYPE, text: 'figure 1\n' });
      },
      apiKeys: () =>
        ['admin', 'orders:read+reports:read+audit:read+pii:read+quarantine:write'].map((scopes) => ({
          id: scopes,
          scopes: new Set(scopes.split('+')),
          sha256: sha256(`key-with-${scopes}`),
        })),
      limits: queryLimits({ perMinute: 1_000, mostUnderWay: 10 }),
      log: { error: () => undefined, warn: () => undefined },
    });
  beforeEach(() => {
    pages = 0;
  });
  afterEach(() => api.close());

  it('is for everybody where only this machine reaches the ledger', async () => {
    api = await serveApi({}, [routes(true)]);
    const answer = await api.ask('/metrics', null);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).to.deep.equal([
      200,
      TYPE,
      'figure 1\n',
    ]);
    expect((await api.ask('/metrics', 'nobody')).status).to.equal(200);
    const asked = await api.ask('/metrics?name=x', null);
    expect(await asked.json()).to.include({ status: 400, code: 'invalid-parameter' });
    expect((await api.ask('/metrics', null, { method: 'POST' })).status).to.equal(405);
    expect((await api.ask('/metrics/', null)).status).to.equal(404);
  });

  it('is for keys with the scope admin where a proxy on this machine asks for somebody else', async () => {
    api = await serveApi({}, [routes(true)]);
    const passedOn: readonly OutgoingHttpHeaders[] = [
      { host: 'ledger.example' },
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-host': 'ledger.example' },
      { 'x-real-ip': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
      { via: '1.1 proxy' },
    ];
    for (const headers of passedOn) {
      const answer = await exchange(api.url, { path: '/metrics', headers });
      expect(answer.status, JSON.stringify(headers)).to.equal(401);
      const authorization = 'Bearer key-with-admin';
      const admin = await exchange(api.url, { path: '/metrics', headers: { ...headers, authorization } });
      expect(admin.text, JSON.stringify(headers)).to.equal('figure 1\n');
    }
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:8080']) {
      expect((await exchange(api.url, { path: '/metrics', headers: { host } })).status, host).to.equal(200);
    }
  });

  it('is for keys with the scope admin elsewhere, and nothing is read for others', async () => {
    api = await serveApi({}, [routes(false)]);
    const nobody = await api.ask('/metrics', null);
    expect(nobody.headers.get('www-authenticate')).to.match(/^Bearer/);
    expect(await nobody.json()).to.include({ status: 401, code: 'unauthorized' });
    expect(await (await api.ask('/metrics', 'unknown')).json()).to.include({ status: 401, code: 'unauthorized' });
    const others = await api.ask('/metrics?name=x', 'orders:read+reports:read+audit:read+pii:read+quarantine:write');
    expect(await others.json()).to.include({ status: 403, code: 'forbidden' });
    expect(pages).to.equal(0);
    const admin = await api.ask('/metrics', 'admin');
    expect([admin.status, await admin.text()]).to.deep.equal([200, 'figure 1\n']);
    expect((await api.ask('/metrics?name=x', 'admin')).status).to.equal(400);
  });
});

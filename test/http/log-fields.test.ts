import { expect } from 'chai';
import { exchange, deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { serveApi } from '../support/serve-api.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';

const TRACE = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7', trace_flags: '01' };
const traceparent = `00-${TRACE.trace_id}-${TRACE.span_id}-${TRACE.trace_flags}`;

describe('lines that are logged of a request', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
  });
  after(() => ledger.close());

  it('have the trace that the caller follows it in, and none where none is sent', async () => {
    const from = ledger.accessLines.length;
    await deliver(ledger.url, onRamp(), { headers: { traceparent } });
    await exchange(ledger.url, { path: '/nowhere', headers: { traceparent } });
    await exchange(ledger.url, { path: '/livez', headers: { traceparent: 'malformed' } });
    await exchange(ledger.url, { path: '/livez' });
    const lines = ledger.accessLines.slice(from);
    expect(lines.map(({ trace_id, span_id, trace_flags }) => ({ trace_id, span_id, trace_flags }))).to.deep.equal([
      TRACE,
      TRACE,
      { trace_id: undefined, span_id: undefined, trace_flags: undefined },
      { trace_id: undefined, span_id: undefined, trace_flags: undefined },
    ]);
  });

  it('have the template of the route, and "none" where no route took it', async () => {
    const from = ledger.accessLines.length;
    const routes = [
      ['GET', '/v1/orders/ord-1', '/v1/orders/:orderId'],
      ['HEAD', '/v1/orders/ord%2F1/events?limit=1', '/v1/orders/:orderId/events'],
      ['GET', '/v1/orders', '/v1/orders'],
      ['POST', '/v1/webhooks', '/v1/webhooks'],
      ['PUT', '/v1/webhooks', 'none'],
      ['GET', '/livez', '/livez'],
      ['GET', '/v1/orders/a/b/c', 'none'],
      ['GET', '/:orderId', 'none'],
    ] as const;
    for (const [method, path] of routes) await exchange(ledger.url, { method, path });
    expect(ledger.accessLines.slice(from).map(({ route }) => route)).to.deep.equal(routes.map(([, , route]) => route));
  });

  it('have it on what went wrong', async () => {
    const api = await serveApi();
    try {
      api.store.takeAway('gone');
      const answer = await api.ask('/v1/orders/ord-1', 'orders:read', { headers: { traceparent } });
      expect(answer.status).to.equal(503);
      expect(api.logged.map(({ fields }) => fields)).to.have.length(1);
      expect(api.logged[0]?.fields).to.deep.include(TRACE);
    } finally {
      await api.close();
    }
  });
});

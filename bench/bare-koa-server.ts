/**
 * The yardstick: the least that a receiver of signed webhooks does on Koa. It reads the body, computes and compares the
 * HMAC, parses and answers; it decodes, stores and logs nothing. The secret comes in `BENCH_SECRET`, the address goes
 * out as the ledger's does.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import Koa from 'koa';
import { getRawBody } from 'raw-body';

const MOST_BODY_BYTES = 262_144;
const secret = process.env['BENCH_SECRET'] ?? '';

const app = new Koa();
app.use(async (ctx) => {
  const body = await getRawBody(ctx.req, { length: ctx.request.length, limit: MOST_BODY_BYTES });
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(ctx.get('X-Service-Signature'), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    ctx.status = 401;
    return;
  }
  const payload: unknown = JSON.parse(body.toString('utf8'));
  const orderId = typeof payload === 'object' && payload !== null && 'orderId' in payload ? payload.orderId : null;
  ctx.body = { outcome: 'received', orderId };
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') return;
  process.stdout.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${address.port}` })}\n`);
});

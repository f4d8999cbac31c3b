import * as E from 'fp-ts/lib/Either.js';
import type { ApiContext, ApiMiddleware } from '../http/api-context.ts';
import { DeliveryAnswer, SpooledAnswer } from '../http/delivery-answer.ts';
import { documentedRouter, type DocumentedRouter } from '../http/documented-router.ts';
import { logFields } from '../http/log-fields.ts';
import { sendProblem } from '../http/problem.ts';
import { replyBody } from '../ledger/reply-body.ts';
import type { Operation } from '../openapi/operation.ts';
import { OffRampDelivery, OnRampDelivery } from './delivery-body.ts';
import { lingeringBody } from './lingering-body.ts';
import { receiveDelivery, type ReceiveDeps, type ReceiveSettings } from './receive-delivery.ts';
import { REJECTION_CODES, type Rejection } from './rejection.ts';

/** Answers a rejection. If the caller is still sending, the answer goes out before the connection is closed. */
const sendRejection = (ctx: ApiContext, rejection: Rejection): void => {
  ctx.state.outcome = rejection.code;
  sendProblem(ctx, rejection);
  if (ctx.req.complete || typeof ctx.body !== 'string') return;
  const text = ctx.body;
  ctx.set('Connection', 'close');
  ctx.body = lingeringBody(ctx.req, text);
  ctx.length = Buffer.byteLength(text);
};

/** Where deliveries are received. */
export const WEBHOOKS_ROUTE = '/v1/webhooks';

const receiving = (deps: ReceiveDeps): ApiMiddleware => {
  const receive = receiveDelivery(deps);
  return async (ctx) => {
    const received = await receive(ctx.req, logFields(ctx.state));
    if (E.isLeft(received)) {
      sendRejection(ctx, received.left);
      return;
    }
    ctx.state.outcome = received.right.outcome;
    ctx.status = received.right.outcome === 'spooled' ? 202 : 200;
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = replyBody(received.right);
  };
};

const ABOUT = `The body is signed with HMAC-SHA256 by an API secret that both sides know; any body with a valid signature is
kept: one that no order event can be read from goes to quarantine and is answered 200 too. A delivery that comes again changes nothing.
Send everything but a 200 or 202 again.`;

/** `POST /v1/webhooks` (docs/spec/receiving.md) as it is configured. */
const receiveOperation = ({ signatureHeader, maxAgeSeconds }: ReceiveSettings): Operation => ({
  id: 'receiveDelivery',
  method: 'post',
  path: WEBHOOKS_ROUTE,
  tag: 'Receiving',
  summary: 'Receive a signed delivery',
  description: ABOUT,
  scopes: [],
  parameters: [
    {
      name: signatureHeader,
      in: 'header',
      description: 'Hex HMAC-SHA256 of the bytes of the body, in any letter case.',
      schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
      required: true,
    },
  ],
  body: {
    description: 'An event of an order; `eventType` tells the flow.',
    codecs: [OnRampDelivery, OffRampDelivery],
  },
  answers: [
    {
      status: 200,
      description: 'Durable in the event store.',
      headers: {},
      contents: [{ type: 'application/json', codec: DeliveryAnswer }],
    },
    {
      status: 202,
      description: 'Durable here; it will be appended when the event store is back.',
      headers: {},
      contents: [{ type: 'application/json', codec: SpooledAnswer }],
    },
  ],
  problems: [
    // `body-incomplete` is never seen by a caller: its connection has ended.
    ...REJECTION_CODES.filter((code) => code !== 'body-incomplete' && (code !== 'too-old' || maxAgeSeconds !== null)),
    'internal-error',
  ],
});

/** The route that the provider's webhooks come in by. */
export const webhookRoutes = (deps: ReceiveDeps): DocumentedRouter =>
  documentedRouter([{ operation: receiveOperation(deps.settings), handle: receiving(deps) }], { exact: false });

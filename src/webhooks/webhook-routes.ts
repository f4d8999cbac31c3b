import { Router } from '@koa/router';
import { either as E } from 'fp-ts';
import type { ApiContext, ApiRouter } from '../http/api-context.ts';
import { logFields } from '../http/log-fields.ts';
import { sendProblem } from '../http/problem.ts';
import { lingeringBody } from './lingering-body.ts';
import { receiveDelivery, type ReceiveDeps } from './receive-delivery.ts';
import type { Rejection } from './rejection.ts';
import { replyBody } from '../ledger/reply-body.ts';

/** Answers a rejection; where the caller may still be sending, so that the answer reaches it before the connection closes. */
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

/** `POST /v1/webhooks` (contract.md, Receiving). */
export const webhookRoutes = (deps: ReceiveDeps): ApiRouter => {
  const receive = receiveDelivery(deps);
  const router: ApiRouter = new Router();
  router.post(WEBHOOKS_ROUTE, async (ctx) => {
    const received = await receive(ctx.req, logFields(ctx.state));
    if (E.isLeft(received)) {
      sendRejection(ctx, received.left);
      return;
    }
    ctx.state.outcome = received.right.outcome;
    ctx.status = received.right.outcome === 'spooled' ? 202 : 200;
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = replyBody(received.right);
  });
  return router;
};

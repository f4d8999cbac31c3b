import type { ApiMiddleware } from '../http/api-context.ts';
import { DeliveryAnswer, SpooledAnswer } from '../http/delivery-answer.ts';
import type { DirectHandler } from '../http/direct-route.ts';
import { documentedRouter, type DocumentedRouter } from '../http/documented-router.ts';
import { logFields } from '../http/log-fields.ts';
import type { Operation } from '../openapi/operation.ts';
import { DELIVERIES_PATH } from '../http/deliveries-path.ts';
import { answerDelivery } from './answer-delivery.ts';
import { OffRampDelivery, OnRampDelivery } from './delivery-body.ts';
import type { ReceiveDeps, ReceiveSettings } from './receive-delivery.ts';
import { REJECTION_CODES } from './rejection.ts';

/** The handler for other spellings of the address, which come by the router. */
const throughKoa =
  (answer: DirectHandler): ApiMiddleware =>
  async (ctx) => {
    const { outcome, proved } = await answer(ctx.req, ctx.res, logFields(ctx.state));
    ctx.state.outcome = outcome;
    ctx.state.proved = proved;
    ctx.respond = false;
  };

const ABOUT = `The body is signed with HMAC-SHA256 by an API secret that both sides know; any body with a valid signature is
kept: one that no order event can be read from goes to quarantine and is answered 200 too. A delivery that comes again changes nothing.
Send everything but a 200 or 202 again.`;

/** `POST /v1/webhooks` (docs/spec/receiving.md) as it is configured. */
const receiveOperation = ({ signatureHeader, maxAgeSeconds }: ReceiveSettings): Operation => ({
  id: 'receiveDelivery',
  method: 'post',
  path: DELIVERIES_PATH,
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

/** The route that the provider's webhooks come in by: directly where its address is spelled as it stands here. */
export const webhookRoutes = (deps: ReceiveDeps): DocumentedRouter => {
  const answer = answerDelivery(deps);
  const route = { operation: receiveOperation(deps.settings), handle: throughKoa(answer) };
  return {
    ...documentedRouter([route], { exact: false }),
    direct: { method: 'POST', path: DELIVERIES_PATH, handle: answer },
  };
};

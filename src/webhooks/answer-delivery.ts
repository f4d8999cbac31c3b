import type { IncomingMessage, ServerResponse } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { DirectHandler } from '../http/direct-route.ts';
import { plainProblem } from '../http/plain-problem.ts';
import type { Recorded } from '../ledger/recorded.ts';
import { replyBody } from '../ledger/reply-body.ts';
import type { Spooled } from '../ledger/spooled.ts';
import { endWhenSent } from './linger.ts';
import { receiveDelivery, type ReceiveDeps } from './receive-delivery.ts';
import type { Rejection } from './rejection.ts';

/** Answers a rejection. If the caller is still sending, the answer goes out before the connection is closed. */
const refuse = (request: IncomingMessage, response: ServerResponse, rejection: Rejection, requestId: string): void => {
  const { headers, text } = plainProblem(rejection, requestId);
  if (request.complete) {
    response.writeHead(rejection.status, [...headers]).end(text);
    return;
  }
  response.writeHead(rejection.status, ['Connection', 'close', ...headers]).write(text);
  endWhenSent(request, response);
};

const accept = (response: ServerResponse, accepted: Recorded | Spooled, requestId: string): void => {
  const text = replyBody(accepted);
  const length = Buffer.byteLength(text);
  const headers = ['X-Request-Id', requestId, 'Content-Type', 'application/json; charset=utf-8'];
  response.writeHead(accepted.outcome === 'spooled' ? 202 : 200, [...headers, 'Content-Length', String(length)]);
  // Where all of it is ASCII, as nearly always, Node need not encode it.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
};

/** Receives deliveries and answers them (docs/spec/receiving.md, Replies). */
export const answerDelivery = (deps: ReceiveDeps): DirectHandler => {
  const receive = receiveDelivery(deps);
  return async (request, response, fields) => {
    const received = await receive(request, fields);
    const proved = E.isRight(received);
    const became = proved ? received.right : received;
    if (E.isRight(became)) {
      accept(response, became.right, fields.requestId);
      return { outcome: became.right.outcome, proved };
    }
    refuse(request, response, became.left, fields.requestId);
    return { outcome: became.left.code, proved };
  };
};

import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { inTime } from '../concurrency/in-time.ts';
import type { DeliveryAnswer } from './delivery-log.ts';

/** What a sender is given for a request: the body, and its signature. */
export type Signed = { readonly body: Buffer; readonly signature: string };

/** Sends signed bytes to the callback URL; resolves always. */
export type Post = {
  readonly post: (signed: Signed) => Promise<DeliveryAnswer>;
  /** Cuts off what is under way. */
  readonly close: () => void;
};

/** How long a receiver may take to answer. After that the provider takes the delivery for lost. */
const ANSWER_WITHIN_MS = 10_000;
const NO_ANSWER: DeliveryAnswer = { error: 'no answer in time', durationMs: ANSWER_WITHIN_MS };

/** Answers are kept for whoever asks; a receiver may send a page of text with each. */
const MOST_KEPT_CHARACTERS = 2_048;

const readAnswer = (response: IncomingMessage, done: (body: string) => void): void => {
  let body = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    if (body.length < MOST_KEPT_CHARACTERS) body += part.slice(0, MOST_KEPT_CHARACTERS - body.length);
  });
  response.once('end', () => done(body));
};

/**
 * A sender with connections that are kept alive, as a provider's client does it. Redirects are not followed: the
 * callback URL is the merchant's word.
 *
 * @param monotonicMs a clock that only measures
 */
export const createPost = (target: URL, mostConnections: number, monotonicMs: () => number): Post => {
  const isHttps = target.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: mostConnections, scheduling: 'lifo' } as const;
  const agent = isHttps ? new HttpsAgent(options) : new HttpAgent(options);
  const request = isHttps ? requestHttps : requestHttp;
  const underWay = new Set<ClientRequest>();
  const send = ({ body, signature }: Signed, late: AbortSignal): Promise<DeliveryAnswer> =>
    new Promise((resolve) => {
      const startedMs = monotonicMs();
      const elapsed = (): number => Math.round((monotonicMs() - startedMs) * 1_000) / 1_000;
      const headers = {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Service-Signature': signature,
        'Content-Length': body.length,
      };
      const sent = request(target, { method: 'POST', agent, headers, signal: late }, (response) => {
        response.once('error', fail);
        readAnswer(response, (text) => {
          settle({ status: response.statusCode ?? 0, body: text, durationMs: elapsed() });
        });
      });
      const settle = (answer: DeliveryAnswer): void => {
        underWay.delete(sent);
        resolve(answer);
      };
      const fail = (error: Error): void => settle({ error: error.message, durationMs: elapsed() });
      underWay.add(sent);
      sent.on('error', fail);
      sent.end(body);
    });
  return {
    post: (signed) => inTime(ANSWER_WITHIN_MS, (late) => send(signed, late), NO_ANSWER),
    close: () => {
      for (const sent of underWay) sent.destroy(new Error('the sandbox ends'));
      agent.destroy();
    },
  };
};

import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { bodyOf, signatureOf } from './payloads.ts';
import type { JsonObject } from '../../src/domain/json.ts';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
};

export type Asking = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer;
};

/** What takes longer is a hang. */
const HANGS_AFTER_MS = 20_000;

/** Kept alive, as a provider's client would: what one request leaves behind on its connection meets the next one. */
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** One request and its whole answer, or the first part of one without an end; fails where none comes in time. */
export const exchange = (url: string, { method = 'GET', path, headers = {}, body }: Asking): Promise<Answer> =>
  new Promise((resolve, reject) => {
    // The path as it is: `URL` would mend it.
    const sent = request(new URL(url), { path, method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      const answered = (): void => {
        clearTimeout(timer);
        const bytes = Buffer.concat(parts);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
      };
      const isEndless = response.headers['content-type']?.startsWith('text/event-stream') === true;
      response.on('data', (part: Buffer) => {
        parts.push(part);
        if (!isEndless) return;
        answered();
        sent.destroy();
      });
      response.on('error', reject);
      response.on('end', answered);
    });
    const timer = setTimeout(() => sent.destroy(new Error(`no answer: ${method} ${path}`)), HANGS_AFTER_MS);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    sent.end(body);
  });

export type Sent = {
  /** Null: no signature header. Without it the body is signed as a provider would. */
  readonly signature?: string | string[] | null;
  readonly headers?: OutgoingHttpHeaders;
  /** Whether the body goes without its length being announced. */
  readonly chunked?: boolean;
};

/** Delivers a webhook: a payload as JSON, a text or bytes as they stand. */
export const deliver = (url: string, payload: JsonObject | string | Buffer, sent: Sent = {}): Promise<Answer> => {
  const body = Buffer.isBuffer(payload) ? payload : bodyOf(payload);
  const { signature = signatureOf(body), headers, chunked = false } = sent;
  return exchange(url, {
    method: 'POST',
    path: '/v1/webhooks',
    body,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }),
      ...(signature === null ? {} : { 'x-service-signature': signature }),
      ...headers,
    },
  });
};

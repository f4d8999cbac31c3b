import { createHmac } from 'node:crypto';
import { INGEST_RULES, type IngestMode } from './ingest-mode.ts';
import { orderPayload } from './order-payload.ts';

/** Requests that are ready to be written to a socket; they lie in one piece of memory. */
export type DeliveryPool = {
  readonly count: number;
  /** Length of all bodies together, in bytes. */
  readonly bodyBytes: number;
  /** The bytes of one request, from 0 to `count - 1`. */
  readonly request: (index: number) => Uint8Array;
};

export type PoolOrder = {
  readonly mode: IngestMode;
  /** Places of the run (ingest-mode.ts) that the pool holds: `count` of them from `from`. */
  readonly from: number;
  readonly count: number;
  readonly run: string;
  readonly startedAt: number;
  readonly secret: string;
};

/** Room for one request; the payloads are far from it. */
const MOST_REQUEST_BYTES = 1_400;

const requestText = (body: string, secret: string): string =>
  [
    'POST /v1/webhooks HTTP/1.1',
    'Host: localhost',
    'Accept: application/json',
    'Content-Type: application/json',
    `X-Service-Signature: ${createHmac('sha256', secret).update(body).digest('hex')}`,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

/** Writes and signs requests ahead, so that none of it takes time from what is measured. */
export const createDeliveryPool = (order: PoolOrder): DeliveryPool => {
  const { deliveryAt } = INGEST_RULES[order.mode];
  const memory = Buffer.allocUnsafeSlow(order.count * MOST_REQUEST_BYTES);
  const starts = new Float64Array(order.count + 1);
  let end = 0;
  let bodyBytes = 0;
  for (let i = 0; i < order.count; i += 1) {
    const body = orderPayload(order.run, order.startedAt, deliveryAt(order.from + i));
    const text = requestText(body, order.secret);
    if (text.length > MOST_REQUEST_BYTES) throw new Error(`a request of ${text.length} bytes has no room`);
    end += memory.write(text, end, 'latin1');
    bodyBytes += body.length;
    starts[i + 1] = end;
  }
  return { count: order.count, bodyBytes, request: (index) => memory.subarray(starts[index], starts[index + 1]) };
};

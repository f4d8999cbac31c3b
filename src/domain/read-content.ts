import * as E from 'fp-ts/lib/Either.js';
import type { Content } from './delivery.ts';
import { eventIdOf } from './order-key.ts';
import { parseBody, parseNatively, parseText, type ParsedBody } from './parse-json.ts';
import { orderIdIn, readPayload, type OrderPayload } from './payload.ts';
import type { Reason } from './reason.ts';
import { signedBytes, type RecordedEvent } from './recorded-event.ts';

/** What a parsed body says, or a body that could not be parsed: an order event, or why it is none. Total: every body has a content. */
export const contentOf = (parsed: E.Either<readonly Reason[], ParsedBody>): Content => {
  if (E.isLeft(parsed)) return { _tag: 'Unreadable', reasons: parsed.left, orderId: null };
  const { value, text, plain } = parsed.right;
  const payload = readPayload(value);
  return E.isLeft(payload)
    ? { _tag: 'Unreadable', reasons: payload.left, orderId: orderIdIn(value) }
    : { _tag: 'OrderEvent', payload: payload.right, eventId: eventIdOf(payload.right), text, plain };
};

/** What signed bytes say. */
export const readContent = (body: Buffer): Content => contentOf(parseBody(body));

/** What the signed bytes of a stored event say. Where they are its data, these were decoded when they were read. */
export const storedContent = (event: RecordedEvent): Content => {
  const { rawBody, data } = event;
  return rawBody === null && data.isWellFormed() ? contentOf(parseText(data)) : readContent(signedBytes(event));
};

/** The order event in a text that `JSON.stringify(JSON.parse(text))` gives again; null where it holds none. */
export const plainPayload = (text: string): OrderPayload | null => {
  const value = parseNatively(text);
  const payload = value === undefined ? null : readPayload(value);
  return payload !== null && E.isRight(payload) ? payload.right : null;
};

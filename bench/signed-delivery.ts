import { createHmac, randomUUID } from 'node:crypto';
import { branded } from '../src/domain/brand.ts';
import type { OrderContent, VerifiedDelivery } from '../src/domain/delivery.ts';
import type { RequestId, SecretId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import { readContent } from '../src/domain/read-content.ts';
import { sha256 } from '../src/domain/sha256.ts';

/** The secret that the events are signed with, under the id `bench`. */
export const BENCH_SECRET = 'a-secret-that-signs-benchmarks-only';

/** A delivery of an order event, as it is when its signature was verified and its body read. */
export type SignedDelivery = {
  readonly verified: VerifiedDelivery;
  readonly content: OrderContent;
};

/** @throws Error where the payload is no order event */
export const signedDelivery = (payload: string, receivedAt: Instant): SignedDelivery => {
  const body = Buffer.from(payload);
  const content = readContent(body);
  if (content._tag !== 'OrderEvent') throw new Error('the payload of a benchmark is no order event');
  const verified: VerifiedDelivery = {
    body,
    bodySha256: sha256(body),
    signature: createHmac('sha256', BENCH_SECRET).update(body).digest('hex'),
    secretId: branded<SecretId>('bench'),
    receivedAt,
    requestId: branded<RequestId>(randomUUID()),
  };
  return { verified, content };
};

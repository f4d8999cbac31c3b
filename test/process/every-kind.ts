import * as fc from 'fast-check';
import type { JsonObject } from '../../src/domain/json.ts';
import { orderPayloads } from '../support/order-deliveries.ts';
import { offRamp } from '../support/payloads.ts';

/** Bodies of every kind for a ledger to get one after the other, the same for a seed: all that orders do, what can't be read, and what is awkward to keep. */
export const everyKind = (seed: number, orders: number): readonly Buffer[] => {
  const ofOrders = fc
    .sample(fc.tuple(...Array.from({ length: orders }, (_, i) => orderPayloads(`same-${i}`))), { seed, numRuns: 1 })
    .flatMap((drawn) => drawn.flat());
  const awkward: JsonObject = offRamp({
    orderId: 'same/50% "größer" 👛',
    metaData: { __proto__: null, deep: [{ nested: 1e-7 }], text: '\ud800' },
  });
  const texts = [
    JSON.stringify(awkward),
    JSON.stringify(awkward, null, 2).replace('"fiat": 5023.5', '"fiat": 5023.50'),
    JSON.stringify(offRamp({ orderId: 'same-digits' })).replace('5023.5', '12345678901234567890.123456789012345678'),
    '\ufeff'.concat(JSON.stringify(offRamp({ orderId: 'same-bom' }))),
    JSON.stringify(offRamp({ orderId: 'same-large', note: 'x'.repeat(200_000) })),
    'no JSON',
    '{"orderId":"same-0","eventType":"onramp"}',
    '{"orderId":"a","orderId":"b"}',
    'no JSON',
  ];
  return [...ofOrders.map((payload) => JSON.stringify(payload)), ...texts].map((text) => Buffer.from(text));
};

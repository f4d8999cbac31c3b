import type { JsonObject } from '../../src/domain/json.ts';
import { offRamp, onRamp } from '../support/payloads.ts';

/** A delivery of an order, and the event that it is to leave behind, however often it is sent. */
export type ScriptedDelivery = {
  readonly orderId: string;
  /** The same for deliveries that are one event together. */
  readonly event: string;
  readonly isConflict: boolean;
  readonly body: Buffer;
};

const ON_RAMP = ['fiatPending', 'orderReceived', 'fiatReceived', 'transferred', 'completed'];
const OFF_RAMP = ['pending', 'orderReceived', 'CryptoReceived', 'fiatDeemed', 'PayoutSuccess'];

/** Spellings of the same facts: as the ledger would write them, with blanks, with escapes. */
const SPELLINGS: readonly ((payload: JsonObject) => string)[] = [
  (payload) => JSON.stringify(payload),
  (payload) => JSON.stringify(payload, null, 2),
  (payload) => JSON.stringify(payload).replace('example.com', String.raw`example\u002ecom`),
];

const spelled = (payload: JsonObject, spelling: number): Buffer =>
  Buffer.from((SPELLINGS[spelling % SPELLINGS.length] ?? JSON.stringify)(payload));

/**
 * The deliveries of one order, in the order of sending: its walk, each status twice in different spellings, and for its
 * second status other facts, which conflict, twice too. Orders take turns in flow and spelling.
 */
export const orderScript = (orderId: string, turn: number): readonly ScriptedDelivery[] => {
  const walk = turn % 2 === 0 ? ON_RAMP : OFF_RAMP;
  const payload = turn % 2 === 0 ? onRamp : offRamp;
  return walk.flatMap((status, step) => {
    const facts = payload({ orderId, status });
    const others = payload({ orderId, status, fiat: 999 });
    const event = { orderId, event: status, isConflict: false };
    const twice = [0, 1].map((again) => ({ ...event, body: spelled(facts, turn + step + again) }));
    const conflict = { orderId, event: `${status}, other facts`, isConflict: true, body: spelled(others, turn) };
    return step === 1 ? [...twice, conflict, conflict] : twice;
  });
};

import { sha256 } from '../../src/domain/sha256.ts';
import { parseKeepingDigits, textAt } from './naive-json.ts';
import { sameness } from './order-oracle.ts';

/** What a body tells, apart from its spelling: bodies of one meaning leave one event behind, however often they are sent. */
export type Meaning = {
  /** Equal for bodies of the same meaning. */
  readonly id: string;
  /** Null for what no order event can be read from. */
  readonly order: { readonly orderId: string; readonly key: string } | null;
};

const parsed = (text: string): unknown => {
  try {
    return parseKeepingDigits(text);
  } catch {
    return null;
  }
};

/**
 * Read naively and apart from the ledger (docs/spec/domain.md, Decision); a text without a flow, an order and a status
 * is none of an order.
 */
export const meaningOf = (body: Buffer): Meaning => {
  const payload = parsed(body.toString());
  const [flow, orderId] = [textAt(payload, 'eventType'), textAt(payload, 'orderId')];
  const [status, utr] = [textAt(payload, 'status'), textAt(payload, 'utr')];
  if (flow === '' || orderId === '' || status === '') return { id: sha256(body), order: null };
  const key = JSON.stringify([orderId, status, utr]);
  return { id: JSON.stringify([flow, key, sameness(payload)]), order: { orderId, key } };
};

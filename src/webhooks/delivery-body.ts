import * as t from 'io-ts';
import { OffRampPayload, OnRampPayload } from '../domain/payload.ts';
import { checkedBy, described } from '../openapi/described.ts';

const text = (description: string): t.Type<string> => described(t.string, description);
const number = (description: string): t.Type<number> => described(t.number, description);

const metaData = checkedBy('object', (u): u is object => typeof u === 'object' && u !== null, {
  type: 'object',
  description:
    "The provider's pairs merged with the merchant's own; in the on-ramp `completed` with `conversionRate` and `commission`.",
});

/**
 * An on-ramp delivery (docs/spec/provider.md, On-ramp payload): what must be readable, by the codec that reads it, and
 * the members that the ledger reads where they are there. Others may come, and are kept.
 */
export const OnRampDelivery = t.intersection(
  [
    OnRampPayload,
    t.partial({
      txnHash: text('Empty while no transfer exists.'),
      transferredAmount: text('A decimal string.'),
      transferredAmountWei: text('A string of digits.'),
      metaData,
    }),
  ],
  'OnRampDelivery',
);

/** An off-ramp delivery (docs/spec/provider.md, Off-ramp payload), likewise. */
export const OffRampDelivery = t.intersection(
  [
    OffRampPayload,
    t.partial({
      updated_at: text('ISO 8601; may be the zero timestamp.'),
      tenantId: text('May be empty.'),
      transactionId: text('The transaction.'),
      tokensDeducted: number('The amount of tokens deducted.'),
      tds: number('The TDS amount.'),
      source: text('Empty in samples.'),
      metaData,
    }),
  ],
  'OffRampDelivery',
);

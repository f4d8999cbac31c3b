import * as fc from 'fast-check';
import { ExactNumber, type JsonObject } from '../../src/domain/json.ts';
import { offRamp, onRamp } from '../support/payloads.ts';

/** One thing that happens to a ledger whose months are closed. */
export type Deed =
  | { readonly _tag: 'Deliver'; readonly body: string }
  /** Closes the month so many before the current one, over whatever is not well. */
  | { readonly _tag: 'Close'; readonly monthsAgo: number }
  /** Opens the latest closed month again. */
  | { readonly _tag: 'Reopen' }
  /** It is stopped, and starts with another business time zone. */
  | { readonly _tag: 'Move'; readonly timeZone: string }
  /** Days go by. */
  | { readonly _tag: 'Wait'; readonly days: number };

/** Moments beside the ends of months in the zones below, some of which are another month in another zone. */
const MOMENTS = [
  '2025-12-31T17:59:59.999Z',
  '2026-01-15T12:00:00.000Z',
  '2026-01-31T18:29:59.999Z',
  '2026-01-31T18:30:00.000Z',
  '2026-02-01T04:59:59.9999Z',
  '2026-02-01T05:00:00Z',
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000+05:30',
  '2026-03-20T10:00:00.000Z',
] as const;

export const ZONES = ['Asia/Kolkata', 'UTC', 'America/New_York'] as const;

const moments = fc.constantFrom<string>(...MOMENTS);
const amounts = fc
  .constantFrom('0', '0.1', '100.50', '1e-3', '12345678901234567890.123456789')
  .map((source) => new ExactNumber(source));
const texts = fc.constantFrom('', '0', '0.10', '7.000000000000000001');

const ofBothFlows = {
  fiat: amounts,
  currency: fc.constantFrom('inr', 'INR', 'USD'),
  updated_at: fc.oneof(moments, fc.constant('0001-01-01T00:00:00Z')),
  utr: fc.constantFrom('', 'U1', 'U2'),
};

const onRamps = fc
  .record(
    {
      ...ofBothFlows,
      orderId: fc.constantFrom('on-1', 'on-2', 'on-3', 'on-4'),
      status: fc.constantFrom(
        'fiatPending',
        'orderReceived',
        'completed',
        'completed',
        'refunded',
        'expired',
        'onHold',
      ),
      createdAt: moments,
      buyTokenAddress: fc.constantFrom('0xdac1', '0xDAC1', '0xeeee'),
      chainId: fc.constantFrom('1', '137').map((source) => new ExactNumber(source)),
      transferredAmount: texts,
      metaData: fc.record({ conversionRate: texts, commission: texts }),
    },
    { requiredKeys: ['orderId', 'status', 'createdAt'] },
  )
  .map((over) => onRamp(over));

const offRamps = fc
  .record(
    {
      ...ofBothFlows,
      // `on-1` belongs to the other flow, where that came first.
      orderId: fc.constantFrom('off-1', 'off-2', 'off-3', 'on-1'),
      status: fc.constantFrom('pending', 'fiatDeemed', 'fiatFailed', 'PayoutSuccess', 'PayoutSuccess', 'refunded'),
      created_at: moments,
      tokensDeducted: amounts,
      tds: amounts,
    },
    { requiredKeys: ['orderId', 'status', 'created_at'] },
  )
  .map((over) => offRamp(over));

const unreadable = fc.constantFrom('no JSON', '{"orderId":"on-1"}');

const bodies = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(onRamps, offRamps).map((payload: JsonObject) => JSON.stringify(payload)) },
  { weight: 1, arbitrary: unreadable },
);

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 12, arbitrary: bodies.map((body): Deed => ({ _tag: 'Deliver', body })) },
  { weight: 3, arbitrary: fc.nat(2).map((monthsAgo): Deed => ({ _tag: 'Close', monthsAgo: monthsAgo + 1 })) },
  { weight: 1, arbitrary: fc.constant<Deed>({ _tag: 'Reopen' }) },
  { weight: 1, arbitrary: fc.nat(20).map((days): Deed => ({ _tag: 'Wait', days })) },
);

/** What happens in one zone, and then in another one. */
export type History = readonly [first: readonly Deed[], second: readonly Deed[]];

/** Orders few enough that events meet the same ones again and again, and closes between them. */
export const histories = (length: number): fc.Arbitrary<History> => {
  const stretch = fc.array(deeds, { minLength: length, maxLength: length });
  return fc
    .tuple(stretch, fc.constantFrom<string>(...ZONES), stretch)
    .map(([first, timeZone, second]): History => [first, [{ _tag: 'Move', timeZone }, ...second]]);
};

import { branded } from '../domain/brand.ts';
import type { Decimal } from '../domain/decimal.ts';
import { instantOf } from '../domain/instant.ts';
import { member, type JsonObject } from '../domain/json.ts';
import { offRampFigures } from './figures.ts';
import { decimalIn, exactNumber, orderBasics, textIn, type OrderRequest } from './order-basics.ts';
import type { Random } from './random.ts';
import { randomDigits } from './random-ids.ts';
import type { OrderEvent, SandboxOrder } from './sandbox-order.ts';

/** What stands for "no time" in the samples (docs/spec/provider.md, Off-ramp payload: updated_at). */
const ZERO_TIMESTAMP = '0001-01-01T00:00:00Z';

const NOTHING = branded<Decimal>('0');

/**
 * A new off-ramp order (docs/spec/provider.md, Off-ramp payload), in the order of its table; `source` stands where
 * samples have it.
 */
export const offRampOrder = (all: Random, random: Random, request: OrderRequest): SandboxOrder => {
  const { fields } = request;
  const basics = orderBasics(all, random, request);
  const { token, rate, fiat, orderId, customPairs, hasCustomPairs } = basics;
  const { amount, tds } = offRampFigures(fiat, rate, token.places);
  const members: JsonObject = {
    fiat: exactNumber(fiat),
    senderWalletAddress: basics.wallet,
    sellTokenSymbol: token.symbol,
    sellTokenAddress: token.address,
    orderId,
    status: '',
    currency: basics.currency,
    chainId: token.chainId,
    customer: basics.customer,
    created_at: basics.createdAt,
    updated_at: ZERO_TIMESTAMP,
    tenantId: '',
    transactionId: `TRAREF${randomDigits(random, 12)}`,
    tokensDeducted: exactNumber(amount),
    tds: exactNumber(tds),
    source: '',
    eventType: 'offramp',
    ...basics.others,
  };
  const updates = random.derived('updates');
  /** What an event says once it says always. */
  const told = new Map<OrderEvent, string>();
  const updatedAt = (event: OrderEvent): string => {
    const known = told.get(event) ?? (updates.onceIn(3) ? ZERO_TIMESTAMP : instantOf(event.atMs));
    told.set(event, known);
    return known;
  };
  return {
    flow: 'offramp',
    orderId,
    createdAt: textIn(members, 'created_at') ?? basics.createdAt,
    figures: {
      fiat: decimalIn(members, 'fiat') ?? NOTHING,
      currency: basics.currency.toUpperCase(),
      symbol: textIn(members, 'sellTokenSymbol') ?? '',
      address: textIn(members, 'sellTokenAddress') ?? '',
      chainId: decimalIn(members, 'chainId') ?? NOTHING,
      amount: decimalIn(members, 'tokensDeducted') ?? NOTHING,
      baseUnits: null,
      conversionRate: null,
      commission: null,
      tds: decimalIn(members, 'tds'),
    },
    payload: (event) => ({
      ...members,
      status: event.status,
      ...(event.status === 'pending' || member(fields, 'updated_at') !== undefined
        ? {}
        : { updated_at: updatedAt(event) }),
      ...(event.utr === null ? {} : { utr: event.utr }),
      ...(hasCustomPairs ? { metaData: customPairs } : {}),
    }),
  };
};

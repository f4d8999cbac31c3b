import { either as E } from 'fp-ts';
import * as t from 'io-ts';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES, type OrderState } from '../../projections/order-state/index.ts';
import { BaseUnitsText, DecimalText } from '../domain/decimal.ts';
import { FLOWS } from '../domain/flow.ts';
import { guarded, oneOf } from '../domain/guarded.ts';
import { EventIdText, OrderIdText, RevisionNumber, UtrText } from '../domain/ids.ts';
import { InstantText } from '../domain/instant.ts';
import { isJsonObject } from '../domain/json.ts';
import { parseBody, parseNatively } from '../domain/parse-json.ts';
import { PHASES } from '../domain/status.ts';

const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

const EventIds = t.readonlyArray(EventIdText);
const AnyObject = guarded('object', isJsonObject);

const OrderStateCodec: { readonly is: t.Is<OrderState> } = t.type({
  orderId: OrderIdText,
  flow: oneOf('flow', FLOWS),
  status: t.string,
  phase: oneOf('phase', PHASES),
  fiat: t.type({ amount: DecimalText, currency: t.string }),
  token: t.type({
    symbol: t.string,
    address: t.string,
    chainId: DecimalText,
    amount: nullable(DecimalText),
    baseUnits: nullable(BaseUnitsText),
  }),
  walletAddress: t.string,
  txnHash: nullable(t.string),
  commission: nullable(DecimalText),
  conversionRate: nullable(DecimalText),
  transactionId: nullable(t.string),
  tokensDeducted: nullable(DecimalText),
  tds: nullable(DecimalText),
  tenantId: nullable(t.string),
  payouts: t.readonlyArray(
    t.type({
      utr: nullable(UtrText),
      state: t.union([t.literal('deemed'), t.literal('failed'), t.literal('paid')]),
      eventIds: EventIds,
    }),
  ),
  customer: t.type({
    id: t.string,
    email: nullable(t.string),
    name: nullable(t.string),
    phone: nullable(AnyObject),
  }),
  metaData: AnyObject,
  createdAt: InstantText,
  settledAt: nullable(InstantText),
  firstReceivedAt: InstantText,
  lastReceivedAt: InstantText,
  revision: RevisionNumber,
  eventCount: t.number,
  anomalies: t.readonlyArray(
    t.type({
      code: oneOf('anomaly', LASTING_ANOMALIES),
      field: t.string,
      values: t.readonlyArray(t.string),
      eventIds: EventIds,
    }),
  ),
  clockAnomaly: nullable(
    t.type({
      code: oneOf('clock anomaly', CLOCK_ANOMALIES),
      after: InstantText,
      eventIds: EventIds,
    }),
  ),
});

/** A state as read models store it; numbers of metadata keep the digits that came. */
export const stateText = (state: OrderState): string => JSON.stringify(state);

/** Reads a stored state; null where it is none that `stateText` wrote by today's shape. */
export const readState = (text: string): OrderState | null => {
  const value = parseNatively(text);
  // Nearly always so: then the native parser has lost no digit.
  if (JSON.stringify(value) === text) return OrderStateCodec.is(value) ? value : null;
  const parsed = parseBody(Buffer.from(text));
  const exact: unknown = E.isRight(parsed) ? parsed.right.value : null;
  return OrderStateCodec.is(exact) ? exact : null;
};

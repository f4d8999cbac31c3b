import { either as E } from 'fp-ts';
import * as t from 'io-ts';
import {
  CLOCK_ANOMALIES,
  LASTING_ANOMALIES,
  type ClockAnomalyCode,
  type LastingAnomalyCode,
  type OrderState,
} from '../../projections/order-state/index.ts';
import { parseBaseUnits, parseDecimal, type BaseUnits, type Decimal } from '../domain/decimal.ts';
import { guardedText } from '../domain/guarded-text.ts';
import { isEventId, isOrderId, isRevision, type Revision, type Utr } from '../domain/ids.ts';
import { parseInstant, type Instant } from '../domain/instant.ts';
import { isJsonObject } from '../domain/json.ts';
import { parseBody, parseNatively } from '../domain/parse-json.ts';
import { PHASES } from '../domain/status.ts';

const isOneOf =
  <A extends string>(values: readonly A[]) =>
  (text: string): text is A =>
    values.some((value) => value === text);

const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

const isInstant = (text: string): text is Instant => parseInstant(text) === text;
const isDecimal = (text: string): text is Decimal => parseDecimal(text) === text;
const isBaseUnits = (text: string): text is BaseUnits => parseBaseUnits(text) === text;

const InstantText = guardedText('instant', isInstant);
const DecimalText = guardedText('decimal', isDecimal);
const EventIds = t.readonlyArray(guardedText('event id', isEventId));
const RevisionNumber = new t.Type<Revision>(
  'revision',
  (u): u is Revision => typeof u === 'number' && isRevision(u),
  (u, c) => (typeof u === 'number' && isRevision(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);
const AnyObject = new t.Type(
  'object',
  isJsonObject,
  (u, c) => (isJsonObject(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

const OrderStateCodec: { readonly is: t.Is<OrderState> } = t.type({
  orderId: guardedText('order id', isOrderId),
  flow: t.union([t.literal('onramp'), t.literal('offramp')]),
  status: t.string,
  phase: guardedText('phase', isOneOf(PHASES)),
  fiat: t.type({ amount: DecimalText, currency: t.string }),
  token: t.type({
    symbol: t.string,
    address: t.string,
    chainId: DecimalText,
    amount: nullable(DecimalText),
    baseUnits: nullable(guardedText('base units', isBaseUnits)),
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
      utr: nullable(guardedText('utr', (text): text is Utr => text !== '')),
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
      code: guardedText<LastingAnomalyCode>('anomaly', isOneOf(LASTING_ANOMALIES)),
      field: t.string,
      summary: t.string,
      values: t.readonlyArray(t.string),
      eventIds: EventIds,
    }),
  ),
  clockAnomaly: nullable(
    t.type({
      code: guardedText<ClockAnomalyCode>('clock anomaly', isOneOf(CLOCK_ANOMALIES)),
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

import * as E from 'fp-ts/lib/Either.js';
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

const FIELDS = 27;

/** The beginning of a state's text: what a row has in columns of its own. */
const headText = (orderId: string, createdAt: string, clockAfter: string | null): string =>
  `[${JSON.stringify(orderId)},${JSON.stringify(createdAt)},${JSON.stringify(clockAfter)}`;

/**
 * A state behind what a row has in columns, as the row stores it: its fields by their place, since their names would be a third of
 * it; words of a few by their number, and nothing for a last receipt that is the first too. Numbers of metadata keep the digits
 * that came.
 */
export const restText = (state: OrderState): string => {
  const { fiat, token, customer, clockAnomaly } = state;
  const rest = JSON.stringify([
    FLOWS.indexOf(state.flow),
    state.status,
    PHASES.indexOf(state.phase),
    [fiat.amount, fiat.currency],
    [token.symbol, token.address, token.chainId, token.amount, token.baseUnits],
    state.walletAddress,
    state.txnHash,
    state.commission,
    state.conversionRate,
    state.transactionId,
    state.tokensDeducted,
    state.tds,
    state.tenantId,
    state.payouts.map(({ utr, state: paid, eventIds }) => [utr, paid, eventIds]),
    [customer.id, customer.email, customer.name],
    // By itself, since it may be nested as deep as a body.
    customer.phone,
    state.metaData,
    state.settledAt,
    state.firstReceivedAt,
    state.lastReceivedAt === state.firstReceivedAt ? null : state.lastReceivedAt,
    state.revision,
    state.eventCount,
    state.anomalies.map(({ code, field, values, eventIds }) => [code, field, values, eventIds]),
    clockAnomaly === null ? null : [CLOCK_ANOMALIES.indexOf(clockAnomaly.code), clockAnomaly.eventIds],
  ]);
  return `,${rest.slice(1)}`;
};

/** A whole state as one text. */
export const stateText = (state: OrderState): string =>
  headText(state.orderId, state.createdAt, state.clockAnomaly?.after ?? null) + restText(state);

/** Of a row: the order's id, its creation and when its clock anomaly begins without the Z, and the rest of its state. */
export type StateColumns = {
  readonly order_id: string;
  readonly created_at: string;
  readonly clock_after: string | null;
  readonly state: string;
};

/** The whole state of a row, as the text that `readState` reads. */
export const rowStateText = ({ order_id, created_at, clock_after, state }: StateColumns): string =>
  headText(order_id, `${created_at}Z`, clock_after === null ? null : `${clock_after}Z`) + state;

/** The parts of an array; those of anything else are missing, which no codec takes. */
const partsOf = (value: unknown): readonly unknown[] => (t.UnknownArray.is(value) ? value : []);

/** The word of a number; missing for any other value. */
const numbered = (words: readonly string[], value: unknown): unknown =>
  typeof value === 'number' ? words[value] : undefined;

const payoutOf = (value: unknown): unknown => {
  const [utr, state, eventIds] = partsOf(value);
  return { utr, state, eventIds };
};

const anomalyOf = (value: unknown): unknown => {
  const [code, field, values, eventIds] = partsOf(value);
  return { code, field, values, eventIds };
};

const clockAnomalyOf = (after: unknown, value: unknown): unknown => {
  if (value === null && after === null) return null;
  const [code, eventIds] = partsOf(value);
  return { code: numbered(CLOCK_ANOMALIES, code), after, eventIds };
};

/** What the parts of a stored state come to; it may be no state. */
const stateOf = (stored: unknown): unknown => {
  const parts = partsOf(stored);
  if (parts.length !== FIELDS) return null;
  const [orderId, createdAt, clockAfter, flow, status, phase, fiat, token, walletAddress, txnHash] = parts;
  const [commission, conversionRate, transactionId, tokensDeducted, tds, tenantId, payouts] = parts.slice(10);
  const [customer, phone, metaData, settledAt, firstReceivedAt, lastReceivedAt, revision] = parts.slice(17);
  const [eventCount, anomalies, clock] = parts.slice(24);
  const [amount, currency] = partsOf(fiat);
  const [symbol, address, chainId, tokens, baseUnits] = partsOf(token);
  const [id, email, name] = partsOf(customer);
  return {
    orderId,
    flow: numbered(FLOWS, flow),
    status,
    phase: numbered(PHASES, phase),
    fiat: { amount, currency },
    token: { symbol, address, chainId, amount: tokens, baseUnits },
    walletAddress,
    txnHash,
    commission,
    conversionRate,
    transactionId,
    tokensDeducted,
    tds,
    tenantId,
    payouts: t.UnknownArray.is(payouts) ? payouts.map(payoutOf) : null,
    customer: { id, email, name, phone },
    metaData,
    createdAt,
    settledAt,
    firstReceivedAt,
    lastReceivedAt: lastReceivedAt ?? firstReceivedAt,
    revision,
    eventCount,
    anomalies: t.UnknownArray.is(anomalies) ? anomalies.map(anomalyOf) : null,
    clockAnomaly: clockAnomalyOf(clockAfter, clock),
  };
};

/** Reads a stored state; null where it is none that `stateText` wrote by today's shape. */
export const readState = (text: string): OrderState | null => {
  const value = parseNatively(text);
  // Nearly always so: then the native parser has lost no digit.
  if (JSON.stringify(value) === text) return checked(stateOf(value));
  const parsed = parseBody(Buffer.from(text));
  return checked(E.isRight(parsed) ? stateOf(parsed.right.value) : null);
};

const checked = (state: unknown): OrderState | null => (OrderStateCodec.is(state) ? state : null);

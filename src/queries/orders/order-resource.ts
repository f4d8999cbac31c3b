import * as t from 'io-ts';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES, type Order } from '../../../projections/order-state/index.ts';
import { PHASES } from '../../domain/status.ts';
import { described } from '../../openapi/described.ts';
import { masked } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { jsonNumber } from '../resources/json-number.ts';
import {
  amount,
  amountOrNull,
  anyObject,
  chainId,
  count,
  flow,
  instant,
  instantOrNull,
  oneOfWords,
  text,
  textOrNull,
  uuid,
} from '../resources/values.ts';
import { anomalyDetail } from './anomaly-detail.ts';

const eventIds = t.readonlyArray(uuid('An event of this order.'));

const Token = t.strict({
  symbol: text('The symbol.'),
  address: text('The contract address.'),
  chainId,
  amount: amountOrNull('On-ramp: transferred; off-ramp: deducted.'),
  baseUnits: amountOrNull('The amount in base units (wei); off-ramp: null.'),
});

const Payout = t.strict(
  {
    utr: textOrNull("The bank's payout reference, case-sensitive."),
    state: oneOfWords(['deemed', 'failed', 'paid'], '`deemed` is neither success nor failure.'),
    eventIds,
  },
  'Payout',
);

const AnomalyResource = t.strict(
  {
    code: oneOfWords([...LASTING_ANOMALIES, ...CLOCK_ANOMALIES], 'What does not fit.'),
    detail: text('For people: fields, and values where they may be shown.'),
    eventIds,
  },
  'Anomaly',
);

/** An order as callers see it, its members in the order of docs/spec/http.md, An order. */
export const OrderResource = t.strict(
  {
    orderId: text("The provider's order id."),
    flow,
    status: text('The highest status that occurred; it may be one that the interface does not list.'),
    phase: oneOfWords(PHASES, 'Where the order stands with its money.'),
    fiat: t.strict({ amount: amount('The fiat amount.'), currency: text('In upper case.') }),
    token: Token,
    walletAddress: text('On-ramp: the receiver; off-ramp: the sender.'),
    txnHash: textOrNull('Of the transfer; null while there is none.'),
    commission: amountOrNull('On-ramp, once completed.'),
    conversionRate: amountOrNull('On-ramp, once completed.'),
    transactionId: textOrNull('Off-ramp.'),
    tokensDeducted: amountOrNull('Off-ramp.'),
    tds: amountOrNull('Off-ramp.'),
    tenantId: textOrNull('Off-ramp.'),
    payouts: described(t.readonlyArray(Payout), 'Off-ramp: the payout attempts, by utr.'),
    customer: t.strict({
      id: text("The provider's customer id."),
      email: textOrNull('Masked without `pii:read`.'),
      name: textOrNull('Masked without `pii:read`.'),
      phone: t.union([anyObject('Masked without `pii:read`.'), t.null]),
    }),
    metaData: anyObject("The provider's and the merchant's own pairs, as they came; personal ones masked."),
    createdAt: instant('When the provider created the order.'),
    settledAt: instantOrNull('When it settled; it stays after a refund.'),
    firstReceivedAt: instant('When its first delivery was received.'),
    lastReceivedAt: instant('When its last delivery was received.'),
    revision: count('Of its stream, from 0.'),
    eventCount: count('How many events its stream holds.', 1),
    overdue: described(t.boolean, 'On-ramp: pending for more than three hours.'),
    anomalies: described(t.readonlyArray(AnomalyResource), 'By code and field.'),
  },
  'Order',
);

export type OrderResource = t.TypeOf<typeof OrderResource>;

/** An order for a caller. */
export const orderResource = (order: Order, personal: PersonalData): OrderResource => {
  const { token, customer } = order;
  const resource: OrderResource = {
    orderId: order.orderId,
    flow: order.flow,
    status: order.status,
    phase: order.phase,
    fiat: { amount: order.fiat.amount, currency: order.fiat.currency },
    token: {
      symbol: token.symbol,
      address: token.address,
      chainId: jsonNumber(token.chainId),
      amount: token.amount,
      baseUnits: token.baseUnits,
    },
    walletAddress: order.walletAddress,
    txnHash: order.txnHash,
    commission: order.commission,
    conversionRate: order.conversionRate,
    transactionId: order.transactionId,
    tokensDeducted: order.tokensDeducted,
    tds: order.tds,
    tenantId: order.tenantId,
    payouts: order.payouts.map(({ utr, state, eventIds: ids }) => ({ utr, state, eventIds: ids })),
    customer: { id: customer.id, email: customer.email, name: customer.name, phone: customer.phone },
    metaData: order.metaData,
    createdAt: order.createdAt,
    settledAt: order.settledAt,
    firstReceivedAt: order.firstReceivedAt,
    lastReceivedAt: order.lastReceivedAt,
    revision: order.revision,
    eventCount: order.eventCount,
    overdue: order.overdue,
    anomalies: order.anomalies.map((anomaly) => ({
      code: anomaly.code,
      detail: anomalyDetail(anomaly, personal),
      eventIds: anomaly.eventIds,
    })),
  };
  // A payout attempt is its utr, a state and ids: nothing of it is masked.
  return personal === 'shown' ? resource : { ...masked(resource), payouts: resource.payouts };
};

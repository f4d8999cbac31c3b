import type { Anomaly, Order } from '../../../projections/order-state/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { masked, maskedFact, maskedPath } from '../masking.ts';
import { jsonNumber } from './json-number.ts';

/** Whether the caller may see personal data (scope `pii:read`). */
export type PersonalData = 'shown' | 'masked';

const detailOf = ({ code, field, summary, values }: Anomaly, personal: PersonalData): string => {
  const maskable = personal === 'masked' && (code === 'fact-changed' || code === 'field-unreadable');
  const shownSummary = maskable && field !== '' ? summary.replaceAll(field, () => maskedPath(field)) : summary;
  const shownValues = maskable ? values.map((value) => maskedFact(field, value)) : values;
  return shownValues.length === 0 ? shownSummary : `${shownSummary}: ${shownValues.join(', ')}`;
};

/** An order as callers see it, its members in the order of contract.md, An order. */
export const orderResource = (order: Order, personal: PersonalData): JsonObject => {
  const { token, customer } = order;
  const resource: JsonObject = {
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
    payouts: order.payouts.map(({ utr, state, eventIds }) => ({ utr, state, eventIds })),
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
      detail: detailOf(anomaly, personal),
      eventIds: anomaly.eventIds,
    })),
  };
  return personal === 'shown' ? resource : masked(resource);
};

import type { Anomaly, Order } from '../../projections/order-state/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { shownFact, shownText } from '../queries/masking/shown-text.ts';
import { masked } from '../queries/masking/masking.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import { anomalyDetail } from '../queries/orders/anomaly-detail.ts';

/** An anomaly with its sentence as somebody may read it. */
type ShownAnomaly = Pick<Anomaly, 'code' | 'eventIds'> & { readonly detail: string };

/** What of an order somebody may see, as in the API (docs/spec/http.md, Personal data). */
export type ShownOrder = Omit<Order, 'customer' | 'metaData' | 'anomalies' | 'payouts'> & {
  readonly payouts: readonly (Omit<Order['payouts'][number], 'utr'> & { readonly utr: string | null })[];
  readonly customer: {
    readonly id: string;
    readonly email: string | null;
    readonly name: string | null;
    readonly phone: string | null;
  };
  readonly metaData: JsonObject;
  readonly anomalies: readonly ShownAnomaly[];
};

const textOf = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);

const phoneText = (phone: JsonValue | undefined): string | null => {
  if (phone === undefined || !isJsonObject(phone)) return null;
  const parts = Object.values(phone).flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []));
  return parts.length === 0 ? null : parts.join(' ');
};

export const shownOrder = (order: Order, personal: PersonalData): ShownOrder => {
  const text = (value: string): string => shownText(value, personal);
  const fact = (path: string, value: string | null): string | null =>
    value === null ? null : shownFact(path, value, personal);
  const { customer, token } = order;
  const plain: JsonObject = {
    customer: { id: customer.id, email: customer.email, name: customer.name, phone: customer.phone },
    metaData: order.metaData,
  };
  const personalFacts = personal === 'shown' ? plain : masked(plain);
  const shownCustomer = personalFacts['customer'];
  const facts: JsonObject = shownCustomer !== undefined && isJsonObject(shownCustomer) ? shownCustomer : {};
  const metaData = personalFacts['metaData'];
  return {
    ...order,
    status: text(order.status),
    fiat: { amount: order.fiat.amount, currency: text(order.fiat.currency) },
    token: { ...token, symbol: text(token.symbol), address: text(token.address) },
    walletAddress: shownFact('walletAddress', order.walletAddress, personal),
    txnHash: fact('txnHash', order.txnHash),
    transactionId: fact('transactionId', order.transactionId),
    tenantId: fact('tenantId', order.tenantId),
    payouts: order.payouts.map((payout) => ({ ...payout, utr: fact('payouts.utr', payout.utr) })),
    customer: {
      id: textOf(facts['id']) ?? '',
      email: textOf(facts['email']),
      name: textOf(facts['name']),
      phone: phoneText(facts['phone']),
    },
    metaData: metaData !== undefined && isJsonObject(metaData) ? metaData : {},
    anomalies: order.anomalies.map((anomaly) => ({
      code: anomaly.code,
      eventIds: anomaly.eventIds,
      detail: anomalyDetail(anomaly, personal),
    })),
  };
};

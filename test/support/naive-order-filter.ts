import { orderAt, type OrderState } from '../../projections/order-state/index.ts';
import type { Calendar } from '../../src/domain/business-day.ts';
import type { JsonValue } from '../../src/domain/json.ts';
import type { LedgerEvent } from '../../src/domain/ledger-event.ts';
import type { OrderFilter } from '../../src/read-models/order-filter.ts';
import type { OrdersQuestion } from '../../src/read-models/read-models.ts';

/** An order with everything that was said about it. */
export type NaiveOrder = { readonly state: OrderState; readonly events: readonly LedgerEvent[] };

/** Whether an order has the anomaly that is asked for, at a moment. */
export const anomalyFits = (state: OrderState, { anomaly }: OrderFilter, now: OrdersQuestion['now']): boolean => {
  const codes: readonly string[] = orderAt(state, now).anomalies.map(({ code }) => code);
  if (anomaly === null) return true;
  if (anomaly === 'any') return codes.length > 0;
  if (anomaly === 'lasting') return state.anomalies.length > 0;
  if (anomaly === 'clock') return codes.includes('overdue') || codes.includes('deemed-too-long');
  return codes.includes(anomaly);
};

/** Whether an order was created, or settled, within the days that are asked for. */
export const datesFit = (
  { createdAt, settledAt }: OrderState,
  { basis, from, to }: OrderFilter,
  calendar: Calendar,
): boolean => {
  const moment = basis === 'settled' ? settledAt : createdAt;
  if (moment === null) return false;
  const day = calendar.dayOf(moment);
  return (from === null || day >= from) && (to === null || day <= to);
};

const onlyDigits = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value.replaceAll(/[^0-9]/g, '') : '';

/** With and without the country code, which the number may repeat. */
const phonesOf = ({ customer: { phone } }: OrderState): readonly string[] => {
  const [code, number] = [onlyDigits(phone?.['countrycode']), onlyDigits(phone?.['number'])];
  return number === '' ? [] : [number, code + number];
};

/** Whether a search finds an order. */
export const isFound = ({ state, events }: NaiveOrder, q: OrderFilter['q']): boolean => {
  if (q === null) return true;
  const { orderId, txnHash, transactionId, walletAddress, customer, metaData } = state;
  const upper = q.text.toUpperCase();
  const isShown = q.personal || !q.holdsMasked;
  const texts = [orderId, ...events.map(({ facts }) => facts.utr), ...(isShown ? [transactionId, customer.id] : [])];
  const meta = Object.entries(metaData)
    .filter(([key]) => q.personal || !/mail|phone|name|account/i.test(key))
    .map(([, value]) => value);
  return (
    texts.includes(q.text) ||
    [txnHash, walletAddress].some((text) => text?.toUpperCase() === upper) ||
    (q.personal && customer.email?.toUpperCase() === upper) ||
    (q.personal && /^\+?[0-9][0-9 -]*$/.test(q.text) && phonesOf(state).includes(onlyDigits(q.text))) ||
    (isShown && meta.includes(q.text))
  );
};

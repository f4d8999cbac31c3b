import { isClockDue, orderAt, type OrderState } from '../../../projections/order-state/index.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { orderResource } from './order-resource.ts';

/** What was written of an order, before or after the clock brought it its anomaly. */
type Written = { readonly isDue: boolean; readonly json: string };

/** As long as somebody keeps the state: pages hold orders that other pages held, and are asked for again. */
const known = { shown: new WeakMap<OrderState, Written>(), masked: new WeakMap<OrderState, Written>() };

/** An order as callers see it at a moment, as JSON. It has no member that the codec of an order would leave out. */
export const orderJson = (state: OrderState, now: Instant, personal: PersonalData): string => {
  const written = known[personal === 'shown' ? 'shown' : 'masked'];
  const isDue = isClockDue(state, now);
  const before = written.get(state);
  if (before?.isDue === isDue) return before.json;
  const json = JSON.stringify(orderResource(orderAt(state, now), personal));
  written.set(state, { isDue, json });
  return json;
};

import { branded } from './brand.ts';
import { orderEventId } from './event-id.ts';
import type { EventId, OrderId, Utr } from './ids.ts';
import type { OrderPayload } from './payload.ts';

/** The idempotency key (docs/spec/domain.md, Identity): absent, null and empty utr are one. */
export type OrderKey = { readonly orderId: OrderId; readonly status: string; readonly utr: Utr | null };

const utrOf = ({ utr }: OrderPayload): Utr | null => (typeof utr === 'string' && utr !== '' ? branded<Utr>(utr) : null);

export const keyOf = (payload: OrderPayload): OrderKey => ({
  orderId: payload.orderId,
  status: payload.status,
  utr: utrOf(payload),
});

export const eventIdOf = (payload: OrderPayload): EventId =>
  orderEventId(payload.orderId, payload.status, utrOf(payload));

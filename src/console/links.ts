import type { EventId, OrderId, Revision } from '../domain/ids.ts';

/** The page of an order. */
export const orderPath = (orderId: OrderId): string =>
  // A path can't end in dots: these ids are found by a search only (docs/spec/http.md, One order).
  `/console/orders/${encodeURIComponent(orderId)}`;

/** The evidence of an order, as a file. */
export const evidencePath = (orderId: OrderId): string => `${orderPath(orderId)}/evidence`;

/** Where a checkpoint that somebody kept is checked. */
export const CHECKPOINT_PATH = '/console/health/checkpoint';

/** Both flows as one workbook. */
export const BOTH_FLOWS_PATH = '/console/files/reports/workbook';

/** The page of one event with its signed bytes. */
export const eventPath = (orderId: OrderId, revision: Revision): string => `${orderPath(orderId)}/events/${revision}`;

export const quarantinedPath = (eventId: EventId): string => `/console/quarantine/${eventId}`;

/** A path with those parameters that say something. */
export const withParameters = (path: string, parameters: Readonly<Record<string, string | null>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null && value !== '') query.set(name, value);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
};

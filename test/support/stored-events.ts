import { randomUUID } from 'node:crypto';
import { branded } from '../../src/domain/brand.ts';
import type { EventId, OrderId } from '../../src/domain/ids.ts';
import type { NewEvent } from '../../src/domain/recorded-event.ts';

/** An order id that no other test has. */
export const anOrderId = (): OrderId => branded<OrderId>(`ord-${randomUUID()}`);

/** An event as a store takes it, with an id of its own. */
export const anEvent = (over: Partial<NewEvent> = {}): NewEvent => ({
  id: branded<EventId>(randomUUID()),
  type: 'OnRampFiatPending',
  data: Buffer.from(JSON.stringify({ note: 'größer als ASCII 👛', at: Math.random() })),
  metadata: Buffer.from(JSON.stringify({ requestId: randomUUID() })),
  rawBody: null,
  ...over,
});

export const someEvents = (count: number): [NewEvent, ...NewEvent[]] => [
  anEvent(),
  ...Array.from({ length: count - 1 }, () => anEvent()),
];

import { openServing, type SqliteLocation } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { branded } from '../../src/domain/brand.ts';
import type { Revision } from '../../src/domain/ids.ts';
import { orderEvent } from '../../src/domain/new-event.ts';
import { bodyOf, offRamp, onRamp, orderContent, signatureOf, verifiedDelivery } from './payloads.ts';
import { right } from './right.ts';

const WALKS = [
  { payload: onRamp, created: 'createdAt', statuses: ['fiatPending', 'orderReceived', 'completed'] },
  { payload: offRamp, created: 'created_at', statuses: ['pending', 'fiatDeemed', 'PayoutSuccess'] },
] as const;

const DAY = 86_400_000;
const FIRST_DAY = Date.UTC(2024, 0);

/** What there are events of in each order. */
export const EVENTS_OF_AN_ORDER = 3;

/** Puts so many orders into a ledger that does not serve, signed as deliveries are: created over some months, of both flows. */
export const fillLedger = async (location: SqliteLocation, orders: number): Promise<void> => {
  const store = right(await openServing(location));
  for (let step = 0; step < EVENTS_OF_AN_ORDER; step += 1) {
    const appends = Array.from({ length: orders }, async (_, order) => {
      const { payload, created, statuses } = WALKS[order % 2 === 0 ? 0 : 1];
      const createdAt = new Date(FIRST_DAY + (order % 150) * DAY + order).toISOString();
      const facts = {
        orderId: `filled-${order}`,
        status: statuses[step] ?? '',
        fiat: 100 + order,
        [created]: createdAt,
      };
      const body = bodyOf(payload(facts));
      const verified = verifiedDelivery(body, { signature: signatureOf(body) });
      const { stream, event } = orderEvent(verified, orderContent(body.toString()));
      const expected = step === 0 ? 'none' : branded<Revision>(step - 1);
      right(await store.append(stream, expected, [event])());
    });
    await Promise.all(appends);
  }
  await store.close();
};

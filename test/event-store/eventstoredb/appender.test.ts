import { expect } from 'chai';
import { orderStream } from '../../../src/domain/ids.ts';
import { openEventStoreDbServing } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreDb } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId } from '../../support/stored-events.ts';
import { within } from '../../support/within.ts';

/** Longer than any test: what waits for it fails. */
const NEVER_MS = 60_000;

describe('an append whose answer never comes', () => {
  it('is known as soon as it is seen, and holds up the end for a moment only', async () => {
    const double = await startEventStoreDb();
    const timing = { withinMs: NEVER_MS, pausesMs: [], seenWithinMs: 250, quietMs: 3_000, leaveAfterMs: NEVER_MS };
    const place = { url: double.url, streamPrefix: '', dataDir: '/nowhere' };
    const level = Promise.withResolvers<void>();
    const onState = (problem: string | null): void => (problem === null ? level.resolve() : undefined);
    const store = right(await openEventStoreDbServing(place, { onEvents: () => undefined, onState }, timing));
    const append = () => store.append(orderStream(anOrderId()), 'none', [anEvent()])();
    try {
      // An append that is sent before is not seen: it is read when its time is over.
      await within(10_000, level.promise, 'the tail to be level');
      double.faults.silenceAppends(1, { performed: true });
      right(await within(10_000, append(), 'the append to be seen'));
      double.faults.silenceAppends(1, { performed: false });
      const lost = append();
      await within(10_000, store.close(), 'the end');
      void lost;
    } finally {
      await double.close();
    }
    expect(double.log.userEvents()).to.have.length(1);
  }).timeout(30_000);
});

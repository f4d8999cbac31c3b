import { expect } from 'chai';
import { orderStream } from '../../../src/domain/ids.ts';
import { openEventStoreDbServing } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startEventStoreDb } from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';
import { within } from '../../support/within.ts';
import { openScene, WAIT_MS } from './store-scene.ts';

const EVENTS = 8;
/** Two of them are under way together, and no third. */
const LARGE = Buffer.from(JSON.stringify({ text: 'x'.repeat(200_000) }));

/** Longer than any test: what waits for it fails. */
const NEVER_MS = 60_000;

describe('an append whose answer never comes', () => {
  it('is known as soon as it is seen, and holds up the end for a moment only', async () => {
    const double = await startEventStoreDb();
    const timing = {
      withinMs: NEVER_MS,
      pausesMs: [],
      countedMs: 250,
      seenWithinMs: 250,
      quietMs: 3_000,
      leaveAfterMs: NEVER_MS,
    };
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

describe('large events that are appended beside each other', () => {
  it('are handed to the client a few at a time, and one at a time until an append is answered', async () => {
    const scene = await openScene();
    try {
      const store = scene.command({ withinMs: NEVER_MS, countedMs: NEVER_MS });
      const { faults } = scene.double;
      faults.holdAnswers(EVENTS);
      const all = Array.from({ length: EVENTS }, () =>
        store.append(orderStream(anOrderId()), 'none', [anEvent({ data: LARGE })])(),
      );
      /** What has come to the server, when it had time for more. */
      const came = async (events: number): Promise<void> => {
        await until(WAIT_MS, `${events} to come`, () =>
          Promise.resolve(EVENTS - faults.pending() >= events ? true : null),
        );
        for (let i = 0; i < 5; i += 1) right(await store.readStream(orderStream(anOrderId()))());
        expect(EVENTS - faults.pending()).to.equal(events);
      };
      await came(1);
      expect(faults.releaseAnswers()).to.equal(1);
      await came(3);
      expect(faults.releaseAnswers()).to.equal(2);
      await came(5);
      await until(WAIT_MS, 'all to come', () => {
        faults.releaseAnswers();
        return Promise.resolve(faults.pending() === 0 ? true : null);
      });
      faults.releaseAnswers();
      for (const appended of await Promise.all(all)) right(appended);
    } finally {
      await scene.close();
    }
  }).timeout(30_000);
});

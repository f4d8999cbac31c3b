import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startRecording, type Recording } from '../../../src/composition/ledger/start-recording.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { orderStream } from '../../../src/domain/ids.ts';
import { readContent } from '../../../src/domain/read-content.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { KnownQuarantine } from '../../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../../src/ledger/recent-orders.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { bodyOf, onRamp, orderPayload, SECRET, verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { openSpoolHere } from '../../support/spool-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

describe('how deliveries are recorded', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let recording: Recording;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await recording.close();
    folder.remove();
  });

  /** Records over a store that is named so. */
  const started = async (
    eventStoreUrl: string,
    store: EventStore = inMemoryEventStore(() => instantOf(0)),
  ): Promise<void> => {
    const environment = {
      DATA_DIR: folder.path,
      EVENT_STORE_URL: eventStoreUrl,
      WEBHOOK_SECRETS: `primary=${SECRET}`,
    };
    const { config } = right(loadConfig(environment, { generate: true, randomBytes }));
    const quarantine = new KnownQuarantine();
    right(await quarantine.load(store)());
    const nothing = () => undefined;
    const noOutage = () => null;
    const told = { toldAway: noOutage, wavering: noOutage };
    const log = { onState: nothing, onSpool: nothing, onSpoolFile: nothing, ...told, begin: nothing };
    const now = () => instantOf(0);
    const secrets = () => config.secrets;
    const recent = new RecentOrders(10);
    recording = right(
      await startRecording({ config, store, recent, quarantine, log, secrets, now, onThreadState: nothing }),
    );
  };

  /** What is recalled of the same bytes after they were recorded over a store that is named so. */
  const recalled = async (eventStoreUrl: string): Promise<string | null> => {
    await started(eventStoreUrl);
    const verified = verifiedDelivery(bodyOf(onRamp()));
    const answer = right(await recording.record({ verified, content: readContent(verified.body) })());
    expect(answer.outcome).to.equal('recorded');
    return recording.recall(verified)?.outcome ?? null;
  };

  it('recalls a repeat over an embedded store', async () => {
    expect(await recalled('sqlite:')).to.equal('duplicate');
  });

  it('recalls none beside a spool: a repeat takes its turn behind what waits for the store', async () => {
    expect(await recalled('esdb://ledger:secret@127.0.0.1:2113?tls=false')).to.equal(null);
  });

  it('gives an embedded store what an earlier spool holds, and has no spool where that holds nothing', async () => {
    await started('sqlite:');
    expect(recording.spool()).to.equal(null);
    await recording.close();
    const spool = right(await openSpoolHere(`${folder.path}/spool.db`));
    right(await spool.put(verifiedDelivery(bodyOf(onRamp())), 'order-1')());
    await spool.close();
    const store = inMemoryEventStore(() => instantOf(0));
    await started('sqlite:', store);
    expect(recording.spool()).to.not.equal(null);
    await until(10_000, 'it to be appended', () => Promise.resolve(store.recorded().length === 1 ? true : null));
  });

  it('answers what waits for a disk that hangs at once, and a repeat as a duplicate, however late the first is durable', async () => {
    const disk = Promise.withResolvers<null>();
    const answered = Promise.withResolvers<null>();
    const store = inMemoryEventStore(() => instantOf(0));
    await started('sqlite:', {
      ...store,
      append:
        (...append) =>
        async () => {
          await disk.promise;
          const appended = await store.append(...append)();
          setImmediate(() => answered.resolve(null));
          return appended;
        },
    });
    const payload = onRamp();
    const verified = verifiedDelivery(bodyOf(payload));
    const delivery = { verified, content: readContent(verified.body) };
    const [first, second] = [recording.record(delivery)(), recording.record(delivery)()];
    recording.storeIsBroken();
    for (const given of [await first, await second]) {
      expect(given).to.have.nested.property('left._tag', 'StoreUnavailable');
    }
    disk.resolve(null);
    await answered.promise;
    expect(recording.recall(verified)?.outcome, 'the first, recorded to its end').to.equal('duplicate');
    expect(right(await recording.record(delivery)()).outcome).to.equal('duplicate');
    expect(right(await store.readStream(orderStream(orderPayload(payload).orderId))())).to.have.length(1);
  });
});

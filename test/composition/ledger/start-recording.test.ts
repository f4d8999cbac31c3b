import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startRecording, type Recording } from '../../../src/composition/ledger/start-recording.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { readContent } from '../../../src/domain/read-content.ts';
import { KnownQuarantine } from '../../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../../src/ledger/recent-orders.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { bodyOf, onRamp, SECRET, verifiedDelivery } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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

  /** Records over a store that is named so, and answers what is recalled of the same bytes afterwards. */
  const recalled = async (eventStoreUrl: string): Promise<string | null> => {
    const environment = {
      DATA_DIR: folder.path,
      EVENT_STORE_URL: eventStoreUrl,
      WEBHOOK_SECRETS: `primary=${SECRET}`,
    };
    const { config } = right(loadConfig(environment, { generate: true, randomBytes }));
    const store = inMemoryEventStore(() => instantOf(0));
    const quarantine = new KnownQuarantine();
    right(await quarantine.load(store)());
    const log = { onState: () => undefined, onSpool: () => undefined, begin: () => undefined };
    const now = () => instantOf(0);
    const secrets = () => config.secrets;
    recording = right(startRecording({ config, store, recent: new RecentOrders(10), quarantine, log, secrets, now }));
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
});

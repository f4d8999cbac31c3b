import { expect } from 'chai';
import { directExporter } from '../../../src/queries/exports/direct-exporter.ts';
import { directLiveFeed } from '../../../src/queries/live/direct-live-feed.ts';
import { ThreadStates } from '../../../src/composition/ledger/thread-states.ts';
import { application } from '../../../src/composition/ledger/application.ts';
import { ledgerMetrics } from '../../../src/composition/ledger/ledger-metrics.ts';
import { loadConfig, type Config } from '../../../src/config/index.ts';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { listen } from '../../../src/http/http-server.ts';
import { RecentOrders } from '../../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../../src/ledger/record-delivery.ts';
import { createLog } from '../../../src/telemetry/logger.ts';
import { exchange, type Answer } from '../../support/exchange.ts';
import { inMemoryEventStore } from '../../support/in-memory-event-store.ts';
import { inMemoryReadModels } from '../../support/in-memory-read-models.ts';
import { SECRET } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADMIN = 'admin-api-key-of-at-least-24-bytes';
const READER = 'reader-api-key-of-at-least-24-bytes';

/** What a ledger on this host, which nothing here binds, answers to `GET /metrics` with these keys. */
const metricsOn = async (host: string, keys: readonly (string | null)[]): Promise<readonly Answer[]> => {
  const folder = temporaryFolder();
  const env = {
    HOST: host,
    DATA_DIR: folder.path,
    WEBHOOK_SECRETS: `primary=${SECRET}`,
    API_KEYS: `admin:admin=${ADMIN},reader:orders:read+reports:read=${READER}`,
  };
  const { config }: { readonly config: Config } = right(
    loadConfig(env, { generate: false, randomBytes: () => Buffer.alloc(0) }),
  );
  const store = inMemoryEventStore(() => instantOf(0));
  const readModels = inMemoryReadModels(store, businessCalendar('UTC'));
  const recent = new RecentOrders(0);
  const handle = application({
    config,
    store,
    recent,
    readModels,
    streams: {
      exporter: directExporter({ store, secretKey: () => null, openSnapshot: readModels.snapshot }),
      liveFeed: directLiveFeed(store),
    },
    closing: new AbortController().signal,
    metrics: ledgerMetrics(config),
    generation: () => 1,
    threads: new ThreadStates({ error: () => undefined, info: () => undefined }, () => instantOf(0)),
    spool: () => null,
    record: recordDelivery({ store, recent, quarantined: new Set() }),
    readiness: store.readiness,
    secrets: () => config.secrets,
    log: await createLog('silent', false),
  }).callback();
  const server = right(
    await listen(
      (request, response) => void handle(request, response),
      '127.0.0.1',
      0,
      () => 'request-id',
    ),
  );
  try {
    const answers: Answer[] = [];
    for (const key of keys) {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      answers.push(await exchange(server.url, { path: '/metrics', headers }));
    }
    return answers;
  } finally {
    await server.close();
    folder.remove();
  }
};

describe('GET /metrics of a ledger that listens on', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) {
    it(`${host} is for everybody`, async () => {
      for (const { status, text } of await metricsOn(host, [null, READER])) {
        expect(status).to.equal(200);
        expect(text).to.include('\nramp_ledger_ready 1\n');
      }
    });
  }

  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'ledger.example']) {
    it(`${host} takes a key with the scope admin`, async () => {
      const answers = await metricsOn(host, [null, READER, ADMIN]);
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 403, 200]);
    });
  }
});

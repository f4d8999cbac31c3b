import { randomUUID } from 'node:crypto';
import { either as E, taskEither as TE } from 'fp-ts';
import { apiRouters } from '../../src/api/api-routers.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId, SecretId, StreamName } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { signedBytes, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openServing } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import type { AccessLog } from '../../src/http/access-log.ts';
import { httpApplication } from '../../src/http/http-application.ts';
import { listen } from '../../src/http/http-server.ts';
import { KnownQuarantine } from '../../src/ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { startReadModels } from '../../src/threads/threaded-read-models.ts';
import { startStreams } from '../../src/threads/threaded-streams.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import type { ReceiveDeps, ReceiveSettings } from '../../src/webhooks/receive-delivery.ts';
import type { WebhookSecret } from '../../src/webhooks/verify-signature.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { SECRET } from './payloads.ts';
import { right } from './right.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The API key of a test's ledger; it has every scope that orders and their bytes need. */
export const API_KEY = 'test-api-key-of-at-least-24-bytes';

/** A secret under the name that events carry. */
export const secretNamed = (id: string, secret: string): WebhookSecret => ({
  id: branded<SecretId>(id),
  key: Buffer.from(secret),
});

const DEFAULT_SETTINGS: ReceiveSettings = {
  signatureHeader: 'X-Service-Signature',
  signedForm: 'bytes',
  maxBodyBytes: 262_144,
  bodyWithinMs: 10_000,
  maxAgeSeconds: null,
  mostUnderWay: 2_048,
};

export type LedgerOptions = {
  readonly settings?: Partial<ReceiveSettings>;
  readonly secrets?: readonly WebhookSecret[];
  readonly now?: () => Instant;
  /** Whether lists and reports are asked; without them a test starts sooner. */
  readonly readModels?: boolean;
  /** The business time zone. */
  readonly timeZone?: string;
  /** What deliveries are recorded through, in place of the store itself. */
  readonly through?: (store: EventStore) => Pick<EventStore, 'append' | 'readStream'>;
};

/** The ledger on a free port, put together as the composition root does it, and what a test looks at. */
export type RunningLedger = {
  readonly url: string;
  readonly store: EventStore;
  readonly accessLines: readonly Parameters<AccessLog>[0][];
  /** What was told of deliveries that were not recorded. */
  readonly failures: readonly Parameters<ReceiveDeps['onFailure']>[0][];
  /** What nobody expected: errors that became a 500. */
  readonly unexpected: readonly object[];
  readonly eventsOf: (stream: string) => Promise<readonly RecordedEvent[]>;
  /** The signed bytes of an event. */
  readonly bytesAt: (stream: string, revision: number) => Promise<Buffer | undefined>;
  /** How many events there are in the whole log. */
  readonly eventCount: () => Promise<number>;
  readonly close: () => Promise<void>;
};

const notThere = TE.left({ _tag: 'ReadModelsUnavailable' as const, detail: 'this test has none' });

const NO_READ_MODELS: ReadModels = {
  includes: () => notThere,
  orders: () => notThere,
  ordersWithUtr: () => notThere,
  report: () => notThere,
  auditPositions: () => notThere,
  quarantine: () => notThere,
  quarantined: () => notThere,
  quarantinedOf: () => notThere,
  tallies: () => notThere,
  progress: () => ({ checkpoint: null, building: null }),
  close: () => Promise.resolve(),
};

/** Starts a ledger over a SQLite store in a folder of its own. */
export const startLedger = async (options: LedgerOptions = {}): Promise<RunningLedger> => {
  const folder = temporaryFolder();
  const location = { dataDir: folder.path, file: `${folder.path}/events.db` };
  const timeZone = options.timeZone ?? 'UTC';
  let appended = (): void => undefined;
  const store = right(await openServing(location, () => appended()));
  const started =
    options.readModels === true
      ? startReadModels(
          { location: { kind: 'sqlite', ...location }, readModelFile: `${folder.path}/read-models.db`, timeZone },
          () => undefined,
        )
      : null;
  const readModels: ReadModels = started ?? NO_READ_MODELS;
  const streams = startStreams(
    { location: { kind: 'sqlite', ...location }, readModelFile: `${folder.path}/read-models.db` },
    () => secrets.map(({ id, key }) => ({ id, key: key.toString('hex') })),
  );
  appended = () => {
    started?.appended();
    streams.appended();
  };
  const closing = new AbortController();
  const recent = new RecentOrders(1_000);
  const secrets = options.secrets ?? [secretNamed('primary', SECRET)];
  const now = options.now ?? systemClock();
  const accessLines: Parameters<AccessLog>[0][] = [];
  const failures: Parameters<ReceiveDeps['onFailure']>[0][] = [];
  const unexpected: object[] = [];
  const webhooks = webhookRoutes({
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    secrets: () => secrets,
    now,
    record: recordDelivery({
      store: options.through?.(store) ?? store,
      recent,
      quarantined: right(await new KnownQuarantine().load(store)()),
    }),
    onVerified: () => undefined,
    onFailure: (failure) => failures.push(failure),
  });
  const scopes = new Set(['orders:read', 'reports:read', 'audit:read', 'pii:read', 'quarantine:write']);
  const deps = {
    store,
    readiness: store.readiness,
    readModels,
    exporter: streams.exporter,
    liveFeed: streams.liveFeed,
    closing: closing.signal,
    calendar: businessCalendar(timeZone),
    release: releaseQuarantined({ store, recent }),
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    apiKeys: () => [{ id: 'test', scopes, sha256: sha256(API_KEY) }],
    secretKey: (id: SecretId) => secrets.find((secret) => secret.id === id)?.key ?? null,
    now,
    threadsDown: () => [],
    newRequestId: () => branded<RequestId>(randomUUID()),
    log: { error: (fields: object) => unexpected.push(fields) },
  };
  const app = httpApplication(apiRouters(deps, [webhooks]), {
    newRequestId: deps.newRequestId,
    onRequest: (line) => accessLines.push(line),
    log: { ...deps.log, warn: () => undefined },
  });
  const handle = app.callback();
  const server = right(await listen((request, response) => void handle(request, response), '127.0.0.1', 0, randomUUID));
  const eventsOf = async (stream: string): Promise<readonly RecordedEvent[]> =>
    right(await store.readStream(branded<StreamName>(stream))());
  return {
    url: server.url,
    store,
    accessLines,
    failures,
    unexpected,
    eventsOf,
    bytesAt: async (stream, revision) => {
      const event = (await eventsOf(stream))[revision];
      return event === undefined ? undefined : signedBytes(event);
    },
    eventCount: async () => {
      let count = 0;
      for await (const event of store.readAll(null)) if (E.isRight(event)) count += 1;
      return count;
    },
    close: async () => {
      closing.abort();
      await server.close();
      await streams.close();
      await readModels.close();
      await store.close();
      folder.remove();
    },
  };
};

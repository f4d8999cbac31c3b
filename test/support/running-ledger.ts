import { Writable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { pino } from 'pino';
import { assemble, type AssembledLedger } from '../../src/composition/ledger/assemble.ts';
import type { LedgerMeans } from '../../src/composition/ledger/ledger-means.ts';
import { newRequestId } from '../../src/composition/new-request-id.ts';
import { loadConfig, type Environment, type Secrets } from '../../src/config/index.ts';
import { branded } from '../../src/domain/brand.ts';
import type { SecretId, StreamName } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { drawnLineKey } from '../../src/domain/line-key.ts';
import { signedBytes, type RecordedEvent } from '../../src/domain/recorded-event.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import type { AccessLine } from '../../src/http/access-log.ts';
import type { CutOff } from '../../src/http/cut-off.ts';
import type { ReceiveSettings } from '../../src/webhooks/receive-delivery.ts';
import type { WebhookSecret } from '../../src/webhooks/verify-signature.ts';
import { SECRET } from './payloads.ts';
import { right } from './right.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A key of a test's ledger that may read orders, and nothing else. */
export const READER_KEY = 'reader-api-key-of-at-least-24-bytes';
/** The API key of a test's ledger; it has every scope that orders and their bytes need. */
export const API_KEY = 'test-api-key-of-at-least-24-bytes';

/** Every scope of that key. */
export const SCOPES = 'orders:read+reports:read+audit:read+pii:read+quarantine:write+statements:write+periods:write';

/** A secret under the name that events carry. */
export const secretNamed = (id: string, secret: string): WebhookSecret => ({
  id: branded<SecretId>(id),
  key: Buffer.from(secret),
});

/** More requests than any test looks back at. */
const MOST_LINES = 10_000;

export type LedgerOptions = Pick<LedgerMeans, 'wrapStore'> & {
  readonly settings?: Partial<ReceiveSettings>;
  readonly secrets?: readonly WebhookSecret[];
  /** Which of the configured keys are valid now; left out: all of them. */
  readonly apiKeys?: (configured: Secrets['apiKeys']) => Secrets['apiKeys'];
  readonly now?: () => Instant;
  /** Beside a host of this machine, a folder, a secret and a key. */
  readonly env?: Environment;
};

/** A line of a request, and whether whoever asked had proved who they are. */
type Told<Line> = Line & { readonly proved: boolean };

/** A ledger as it serves anywhere, and what a test looks at. */
type TestLedger = AssembledLedger & {
  /** Of the last requests, ten thousand at most, with whether whoever asked had proved who they are. */
  readonly accessLines: readonly Told<AccessLine>[];
  /** Of replies that were cut off likewise. */
  readonly cutOffs: readonly Told<CutOff>[];
  /** What was logged of deliveries that were not recorded. */
  readonly failures: readonly unknown[];
  /** All else that was logged as an error: nobody expects it. */
  readonly unexpected: readonly object[];
  readonly eventsOf: (stream: string) => Promise<readonly RecordedEvent[]>;
  /** The signed bytes of an event. */
  readonly bytesAt: (stream: string, revision: number) => Promise<Buffer | undefined>;
  /** How many events there are in the whole log. */
  readonly eventCount: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export type RunningLedger = TestLedger & { readonly url: string };

/** Parses each line of errors that is logged. */
const errorsTo = (tell: (line: object) => void) => {
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const line: unknown = JSON.parse(chunk.toString());
      if (typeof line === 'object' && line !== null) tell(line);
      done();
    },
  });
  return pino({ base: null, level: 'error' }, stream);
};

/** Puts a ledger together over a SQLite store in a folder of its own; it does not listen yet. */
export const assembleLedger = async (options: LedgerOptions = {}): Promise<TestLedger> => {
  const folder = temporaryFolder();
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder.path,
    WEBHOOK_SECRETS: `primary=${SECRET}`,
    API_KEYS: `test:${SCOPES}=${API_KEY},reader:orders:read=${READER_KEY}`,
    API_MAX_REQUESTS_PER_MINUTE: '100000',
    ...options.env,
  };
  const { config } = right(loadConfig(env, { generate: false, randomBytes: () => Buffer.alloc(0) }));
  const { webhook, apiKeys } = config.secrets;
  const { apiKeys: valid = () => apiKeys } = options;
  const secrets = () => ({
    webhook: { ...webhook, active: options.secrets ?? webhook.active },
    apiKeys: valid(apiKeys),
  });
  const accessLines: Told<AccessLine>[] = [];
  const cutOffs: Told<CutOff>[] = [];
  const failures: unknown[] = [];
  const unexpected: object[] = [];
  const ledger = right(
    await assemble(
      { ...config, webhooks: { ...config.webhooks, ...options.settings } },
      {
        now: options.now ?? systemClock(),
        newRequestId,
        openFiles: null,
        // Two ledgers of one story give the same ids.
        drawLineKey: () => drawnLineKey((size) => Buffer.alloc(size, 7)),
        secrets,
        log: errorsTo((line) => ('failure' in line ? failures.push(line.failure) : unexpected.push(line))),
        onRequest: (line, proved) => {
          accessLines.push({ ...line, proved });
          if (accessLines.length > MOST_LINES) accessLines.shift();
        },
        onCutOff: (cutOff, proved) => cutOffs.push({ ...cutOff, proved }),
        ...(options.settings === undefined ? {} : { receiving: options.settings }),
        ...(options.wrapStore === undefined ? {} : { wrapStore: options.wrapStore }),
      },
    ),
  );
  const { store } = ledger;
  const eventsOf = async (stream: string): Promise<readonly RecordedEvent[]> =>
    right(await store.readStream(branded<StreamName>(stream))());
  return {
    ...ledger,
    accessLines,
    cutOffs,
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
      await ledger.stop();
      folder.remove();
    },
  };
};

/** Starts a ledger on a free port. */
export const startLedger = async (options: LedgerOptions = {}): Promise<RunningLedger> => {
  const ledger = await assembleLedger(options);
  const url = right(await ledger.start(() => undefined));
  return { ...ledger, url };
};

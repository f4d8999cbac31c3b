import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { buildReadModels } from './build-read-models.ts';
import { writableLedger, type LedgerSource } from './filled-ledger.ts';
import { createLatencyRecorder, quantileMs, type LatencyHistogram } from './latency-histogram.ts';
import type { OwnedResources } from './owned-resources.ts';
import { memoryOf } from './process-figures.ts';
import { newApiKeys, startLedger, type ServerProcess } from './server-process.ts';
import { rounded } from './spread.ts';

/** What is exported, one after the other. */
const EXPORTS = ['events?format=ndjson', 'audit?format=csv', 'orders?format=csv', 'orders?format=xlsx'] as const;

/**
 * How much more memory the second half of a download may take than the first, in bytes: memory must not grow with the
 * download.
 */
const GOAL_BYTES = 64 * 1_048_576;

const IDLE_MS = 3_000;
const LOOK_EVERY_MS = 20;

export type ExportSummary = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly rowsPerSecond: number;
  /**
   * Resident memory of the ledger before, and at its most in each half of the download; null where the system shows
   * none.
   */
  readonly rssBefore: number | null;
  readonly firstHalfRss: number | null;
  readonly secondHalfRss: number | null;
  /** What a request to the receiving thread took meanwhile. */
  readonly livezP99Ms: number;
  readonly livezLongestMs: number;
};

export type ExportResult = {
  readonly benchmark: 'export';
  readonly goalBytes: number;
  readonly orders: number;
  readonly events: number;
  /** The same on the idle ledger, for comparison. */
  readonly idleP99Ms: number;
  readonly exports: readonly ExportSummary[];
};

const Manifest = t.type({ rows: t.number, bytes: t.number, sha256: t.string });

type Asking = { readonly server: ServerProcess; readonly key: string };

const ask = async ({ server, key }: Asking, path: string): Promise<Response> => {
  const response = await fetch(new URL(path, server.url), { headers: { Authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
};

/** Asks the receiving thread for something small, again and again, until it is told to stop. */
const probes = ({ server }: Asking): (() => Promise<LatencyHistogram>) => {
  const latencies = createLatencyRecorder();
  const state = { stopped: false };
  const probing = (async () => {
    while (!state.stopped) {
      const start = performance.now();
      await (await fetch(new URL('/livez', server.url))).text();
      latencies.record(performance.now() - start);
      await wait(LOOK_EVERY_MS);
    }
  })();
  return async () => {
    state.stopped = true;
    await probing;
    return latencies.histogram();
  };
};

type Sample = { readonly bytes: number; readonly rss: number };

const mostOf = (samples: readonly Sample[]): number | null =>
  samples.length === 0 ? null : Math.max(...samples.map(({ rss }) => rss));

const measured = async (asking: Asking, name: string): Promise<ExportSummary> => {
  const { pid } = asking.server;
  const rssBefore = memoryOf(pid)?.rss ?? null;
  const stop = probes(asking);
  const samples: Sample[] = [];
  const hash = createHash('sha256');
  const start = performance.now();
  const response = await ask(asking, `/v1/exports/${name}`);
  const position = response.headers.get('X-Position') ?? '';
  let [bytes, sampledAt] = [0, 0];
  const pieces: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    if (performance.now() - sampledAt < LOOK_EVERY_MS) continue;
    sampledAt = performance.now();
    const rss = memoryOf(pid)?.rss;
    if (rss !== undefined) samples.push({ bytes, rss });
  }
  const seconds = (performance.now() - start) / 1000;
  const latency = await stop();
  const manifestPath = `/v1/exports/${name.replace('?', '/manifest?')}&position=${position}`;
  const manifest = Manifest.decode(await (await ask(asking, manifestPath)).json());
  if (E.isLeft(manifest) || manifest.right.sha256 !== hash.digest('hex') || manifest.right.bytes !== bytes) {
    throw new Error(`${name}: the manifest is not that of the download`);
  }
  return {
    name,
    rows: manifest.right.rows,
    bytes,
    rowsPerSecond: Math.round(manifest.right.rows / seconds),
    rssBefore,
    firstHalfRss: mostOf(samples.filter((sample) => sample.bytes * 2 < bytes)),
    secondHalfRss: mostOf(samples.filter((sample) => sample.bytes * 2 >= bytes)),
    livezP99Ms: rounded(quantileMs(latency, 0.99), 3),
    livezLongestMs: rounded(latency.maxMs, 3),
  };
};

/**
 * Downloads every export of a running ledger over HTTP: rows per second, memory in each half of the download, and what
 * the receiving thread takes for a small request meanwhile. Each digest is compared with the manifest's.
 *
 * @param note takes a line of progress
 * @throws Error where an answer is not what was asked for
 */
export const measureExport = async (
  owned: OwnedResources,
  source: LedgerSource,
  note: (line: string) => void,
): Promise<ExportResult> => {
  const ledger = await writableLedger(owned, source, note);
  const { location, filling, events } = ledger;
  const built = await buildReadModels(location, join(location.dataDir, 'read-models.db'));
  note(`read models built in ${built.seconds.toFixed(1)} s`);
  const apiKeys = newApiKeys();
  const secret = randomBytes(24).toString('hex');
  const server = await startLedger(owned, { secret, apiKeys, dataDir: location.dataDir, nodeArguments: [] });
  const asking: Asking = { server, key: apiKeys.masked };
  const stop = probes(asking);
  await wait(IDLE_MS);
  const idle = await stop();
  const exports: ExportSummary[] = [];
  for (const name of EXPORTS) {
    const summary = await measured(asking, name);
    note(`${name}: ${summary.rows} rows, ${summary.rowsPerSecond} a second`);
    exports.push(summary);
  }
  await server.stop();
  ledger.remove();
  return {
    benchmark: 'export',
    goalBytes: GOAL_BYTES,
    orders: filling.orders,
    events,
    idleP99Ms: rounded(quantileMs(idle, 0.99), 3),
    exports,
  };
};

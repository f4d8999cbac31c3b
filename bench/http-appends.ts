import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { newStreamPrefix } from './append-scene.ts';
import { watchedStretch, type AppendStretch } from './append-stretch.ts';
import { assertReplies } from './ingest-stretch.ts';
import { startLoadGenerator } from './load-generator-process.ts';
import type { LoadResult } from './load-run.ts';
import type { OwnedResources } from './owned-resources.ts';
import { newApiKeys, startLedger } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';

type HttpRun = {
  readonly url: string;
  readonly serverPid: number | null;
  /** Connections, each with one request under way. */
  readonly inFlight: number;
  readonly seconds: number;
  readonly rounds: number;
};

const WARM_UP_DELIVERIES = 4_000;
const LONGEST_WARM_UP_SECONDS = 60;
/**
 * At its start the ledger reads the quarantine, which takes a while in a long log; deliveries that come meanwhile are
 * spooled.
 */
const START_MS = 60_000;
const LOOK_EVERY_MS = 100;

/**
 * Deliveries of distinct orders to the whole ledger, a process of its own with its read models and its spool.
 *
 * @throws Error where a delivery is not recorded; one that was spooled is none that the store took
 */
export const measureOverHttp = async (
  owned: OwnedResources,
  { url, serverPid, inFlight, seconds, rounds }: HttpRun,
): Promise<readonly AppendStretch[]> => {
  const generator = startLoadGenerator(owned);
  const ledger = await startLedger(owned, {
    secret: BENCH_SECRET,
    apiKeys: newApiKeys(),
    dataDir: null,
    nodeArguments: [],
    eventStore: { url, streamPrefix: newStreamPrefix() },
  });
  const run = randomBytes(16).toString('hex');
  const startedAt = Date.now();
  let place = 0;
  const prepare = async (count: number): Promise<void> => {
    await generator.prepare({ mode: 'distinct', from: place, count, run, startedAt, secret: BENCH_SECRET });
    place += count;
  };
  const send = (deliveries: number, connections: number, longest: number): Promise<LoadResult> =>
    generator.run({
      host: ledger.host,
      port: ledger.port,
      connections,
      outcome: 'recorded',
      deliveries,
      seconds: longest,
      perSecond: null,
    });
  const stretch = async (count: number, longest: number): Promise<AppendStretch> => {
    await prepare(count);
    return watchedStretch({ own: ledger.pid, server: serverPid }, async () => {
      const result = await send(count, inFlight, longest);
      assertReplies(result, 'recorded', ledger);
      return { appends: result.deliveries, seconds: result.seconds, latency: result.latency };
    });
  };
  const sendOne = async (): Promise<LoadResult> => {
    await prepare(1);
    return send(1, 1, 1);
  };

  const giveUpAt = Date.now() + START_MS;
  for (let first = await sendOne(); first.deliveries === 0; first = await sendOne()) {
    if (Date.now() > giveUpAt) assertReplies(first, 'recorded', ledger);
    await wait(LOOK_EVERY_MS);
  }
  let { perSecond } = await stretch(WARM_UP_DELIVERIES, LONGEST_WARM_UP_SECONDS);
  const stretches: AppendStretch[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const done = await stretch(Math.ceil(1.5 * perSecond * seconds), seconds);
    perSecond = done.perSecond;
    stretches.push(done);
  }
  await ledger.stop();
  await generator.stop();
  return stretches;
};

import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../src/concurrency/in-time.ts';
import { connect } from '../src/event-store/eventstoredb/connection.ts';
import { openEventStoreDbServing } from '../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { Readiness } from '../src/event-store/event-store.ts';
import { RecentOrders } from '../src/ledger/recent-orders.ts';
import { recordDelivery } from '../src/ledger/record-delivery.ts';
import { spoolKey } from '../src/ledger/spool-key.ts';
import { startSpooling } from '../src/ledger/spooling.ts';
import { openThreadedSpool } from '../src/threads/threaded-spool.ts';
import { systemClock } from '../src/telemetry/system-clock.ts';
import { branded } from '../src/domain/brand.ts';
import type { SecretId } from '../src/domain/ids.ts';
import { verifySignature } from '../src/webhooks/verify-signature.ts';
import { newStreamPrefix } from './append-scene.ts';
import { appendLoad } from './append-stretch.ts';
import { newDeliveries } from './delivery-source.ts';
import { firstStatus } from './ingest-mode.ts';
import type { OwnedResources } from './owned-resources.ts';
import { rawAppends } from './raw-appends.ts';
import { startEventStoreDbDouble } from './server-process.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import { spreadOf, type Spread } from './spread.ts';

export type DrainingOptions = {
  /** A server; null: the double, in a process of its own. */
  readonly url: string | null;
  readonly deliveries: number;
  readonly rounds: number;
};

export type DrainingResult = {
  readonly benchmark: 'draining';
  readonly subject: 'a spool that is drained';
  readonly baseline: "raw client's unary appends";
  readonly deliveries: number;
  readonly perSecond: Spread;
  readonly baselinePerSecond: Spread;
  readonly ratio: Spread;
};

/** As many as a spool has on their way at once. */
const IN_FLIGHT = 64;
const NOT_ASKED: Readiness = { ready: true };
const SIGNERS = [{ id: branded<SecretId>('bench'), key: Buffer.from(BENCH_SECRET) }];

const right = <A>(result: E.Either<{ readonly detail: string }, A>): A => {
  if (E.isLeft(result)) throw new Error(result.left.detail);
  return result.right;
};

/** Deliveries per second from a full spool to the log. */
const drained = async (owned: OwnedResources, url: string, deliveries: number): Promise<number> => {
  const dataDir = owned.directory();
  const spool = right(
    await openThreadedSpool({ file: join(dataDir, 'spool.db'), locks: [] }, { mostBytes: Infinity, longestBody: 0 }),
  );
  const waiting = newDeliveries(firstStatus)(0, deliveries);
  for (const kept of await Promise.all(waiting.map((one) => spool.put(one.verified, spoolKey(one))()))) right(kept);
  const silent = { onEvents: () => undefined, onState: () => undefined };
  const store = right(await openEventStoreDbServing({ url, streamPrefix: newStreamPrefix(), dataDir }, silent));
  const isEmpty = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const spooling = startSpooling({
    record: recordDelivery({ store, recent: new RecentOrders(deliveries), quarantined: new Set() }),
    spool,
    signerOf: ({ body, signature }) => {
      const signer = verifySignature(body, signature, SIGNERS);
      return E.isRight(signer) ? signer.right : null;
    },
    storeReadiness: () => NOT_ASKED,
    answerWithinMs: 60_000,
    elapsed: () => performance.now(),
    inTime,
    wait: () => Promise.reject(new Error('an append failed')),
    random: Math.random,
    now: systemClock(),
    onEvent: ({ _tag }) => {
      if (_tag === 'Drained') isEmpty.resolve();
      else isEmpty.reject(new Error(`the spool: ${_tag}`));
    },
  });
  await isEmpty.promise;
  const seconds = (performance.now() - startedAt) / 1000;
  await spooling.close();
  await spool.close();
  await store.close();
  owned.remove(dataDir);
  return deliveries / seconds;
};

const appended = async (url: string, deliveries: number): Promise<number> => {
  const connection = connect(url);
  if (E.isLeft(connection)) throw new Error(connection.left);
  const { client, credentials, close } = connection.right;
  const raw = rawAppends(client(), { credentials }, newStreamPrefix(), newDeliveries(firstStatus));
  raw.prepare(0, deliveries);
  const { appends, seconds } = await appendLoad(raw, { inFlight: IN_FLIGHT, seconds: Infinity, most: deliveries })();
  await close();
  return appends / seconds;
};

/**
 * Deliveries per second from a spool to an EventStoreDB that is back, each looked at after its append, beside the raw
 * client's appends; the two take turns, after one turn that is not counted.
 *
 * @throws Error where a delivery is not appended at the first try
 */
export const measureDraining = async (
  owned: OwnedResources,
  { url, deliveries, rounds }: DrainingOptions,
  note: (line: string) => void,
): Promise<DrainingResult> => {
  const double = url === null ? await startEventStoreDbDouble(owned) : null;
  const server = double?.url ?? url ?? '';
  const measured: { readonly subject: number; readonly baseline: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const baseline = await appended(server, deliveries);
    const subject = await drained(owned, server, deliveries);
    note(`round ${round} of ${rounds}: ${subject.toFixed(0)} deliveries/s, ${(subject / baseline).toFixed(3)}`);
    if (round > 0) measured.push({ subject, baseline });
  }
  await double?.stop();
  return {
    benchmark: 'draining',
    subject: 'a spool that is drained',
    baseline: "raw client's unary appends",
    deliveries,
    perSecond: spreadOf(measured.map(({ subject }) => subject)),
    baselinePerSecond: spreadOf(measured.map(({ baseline }) => baseline)),
    ratio: spreadOf(measured.map(({ subject, baseline }) => subject / baseline)),
  };
};

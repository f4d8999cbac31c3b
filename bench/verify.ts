import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { VerifyReport } from '../src/cli/output/verify-report.ts';
import { troubleLine } from '../src/domain/trouble.ts';
import { openBeside, type SqliteLocation } from '../src/event-store/sqlite/sqlite-event-store.ts';
import { verifyLedger } from '../src/threads/verify-ledger.ts';
import { buildReadModels } from './build-read-models.ts';
import { filledLedger, type LedgerSource } from './filled-ledger.ts';
import { BENCH_SECRET } from './signed-delivery.ts';
import type { OwnedResources } from './owned-resources.ts';
import { plainRead } from './plain-read.ts';
import { median, rounded, spreadOf, type Spread } from './spread.ts';

export type VerifyBenchOptions = { readonly source: LedgerSource; readonly rounds: number };

/** Seconds for a million events on two cores that are aimed at. */
const GOAL_SECONDS = 12;

export type VerifyResult = {
  readonly benchmark: 'verify';
  readonly subject: 'verification of log and read models';
  readonly baseline: 'plain pass that computes HMAC-SHA256 and SHA-256 of the data';
  readonly goalSecondsPerMillion: number;
  readonly orders: number;
  readonly events: number;
  /** Verification by plain pass, of the events per second in each round. */
  readonly ratio: Spread;
  /** Medians. */
  readonly seconds: number;
  readonly eventsPerSecond: number;
  readonly secondsPerMillion: number;
  readonly baselineEventsPerSecond: number;
  /** What verification found wrong, or could not prove; the first few of them. It must be nothing. */
  readonly failures: number;
  readonly failed: readonly VerifyReport['failures'][number][];
  readonly rounds: readonly { readonly ratio: number; readonly seconds: number; readonly baselineSeconds: number }[];
};

const SHOWN = 5;

const verified = async (
  location: SqliteLocation,
  readModelFile: string,
): Promise<{ readonly report: VerifyReport; readonly seconds: number }> => {
  const store = openBeside(location);
  if (E.isLeft(store)) throw new Error(troubleLine(store.left));
  const start = performance.now();
  const head = await store.right.head()();
  if (E.isLeft(head) || head.right === null) throw new Error('the ledger has no events that could be read');
  const options = {
    location,
    readModelFile,
    upTo: head.right,
    secrets: [{ id: 'bench', key: Buffer.from(BENCH_SECRET).toString('hex') }],
  };
  const report = await verifyLedger(store.right, store.right, options, () => undefined);
  const seconds = (performance.now() - start) / 1000;
  await store.right.close();
  if (E.isLeft(report)) throw new Error(report.left);
  return { report: report.right, seconds };
};

const digestBoth = (data: string): unknown => [
  createHmac('sha256', BENCH_SECRET).update(data).digest('hex'),
  createHash('sha256').update(data).digest('hex'),
];

/**
 * Verification of a ledger and its read models as `ramp-ledger verify` does it, beside a plain pass in one thread that
 * computes the digests of the same events; the two take turns.
 *
 * @param note takes a line of progress
 * @throws Error where something can't be read, or events are missing
 */
export const measureVerify = async (
  owned: OwnedResources,
  { source, rounds }: VerifyBenchOptions,
  note: (line: string) => void,
): Promise<VerifyResult> => {
  const ledger = await filledLedger(owned, source, note);
  const { location, filling, events } = ledger;
  const readModels = owned.directory();
  const readModelFile = join(readModels, 'read-models.db');
  const built = await buildReadModels(location, readModelFile);
  note(`read models built in ${built.seconds.toFixed(1)} s`);
  const done: VerifyResult['rounds'][number][] = [];
  const failed: VerifyReport['failures'][number][] = [];
  let failures = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const baselineSeconds = await plainRead(location.file, events, digestBoth);
    const { report, seconds } = await verified(location, readModelFile);
    if (report.events !== events) throw new Error(`${report.events} events were verified where there are ${events}`);
    failures += report.failures.length + report.unknownSecrets;
    failed.push(...report.failures.slice(0, SHOWN - failed.length));
    const ratio = baselineSeconds / seconds;
    done.push({
      ratio: rounded(ratio, 4),
      seconds: rounded(seconds, 3),
      baselineSeconds: rounded(baselineSeconds, 3),
    });
    note(`round ${round} of ${rounds}: ${seconds.toFixed(1)} s, ${ratio.toFixed(3)}`);
  }
  owned.remove(readModels);
  ledger.remove();
  const seconds = median(done.map((round) => round.seconds));
  return {
    benchmark: 'verify',
    subject: 'verification of log and read models',
    baseline: 'plain pass that computes HMAC-SHA256 and SHA-256 of the data',
    goalSecondsPerMillion: GOAL_SECONDS,
    orders: filling.orders,
    events,
    ratio: spreadOf(done.map(({ ratio }) => ratio)),
    seconds,
    eventsPerSecond: Math.round(events / seconds),
    secondsPerMillion: rounded((seconds / events) * 1_000_000, 2),
    baselineEventsPerSecond: Math.round(events / median(done.map((round) => round.baselineSeconds))),
    failures,
    failed,
    rounds: done,
  };
};

import { orderEvent } from '../src/domain/new-event.ts';
import { APPEND_KINDS, type AppendKind } from './append-kind.ts';
import { FOUR_BEGUN, openScene, type AppendScene } from './append-scene.ts';
import { appendLoad, watchedStretch, type AppendStretch } from './append-stretch.ts';
import { appendSummary, type AppendSummary, type MeasuredAppends } from './append-summary.ts';
import { newDeliveries } from './delivery-source.ts';
import { measureOverHttp } from './http-appends.ts';
import { firstStatus } from './ingest-mode.ts';
import type { OwnedResources } from './owned-resources.ts';
import { startEventStoreDbDouble } from './server-process.ts';

export type EventStoreDbOptions = {
  /** A server; null: the double, in a process of its own. */
  readonly url: string | null;
  /** Length of each measured stretch. */
  readonly seconds: number;
  readonly rounds: number;
  /** Appends that are under way at any moment; each such number is measured on its own. */
  readonly inFlight: readonly number[];
};

/** The share of the raw client's appends of the same kind that is aimed at. */
const GOAL_RATIO = 0.6;

export type EventStoreDbResult = {
  readonly benchmark: 'eventstoredb';
  readonly subject: 'ledger';
  readonly baseline: "raw client's unary appends";
  readonly goalRatio: number;
  readonly server: 'double' | 'named';
  /** Means of the events that are appended. */
  readonly dataBytes: number;
  readonly metadataBytes: number;
  readonly runs: readonly { readonly inFlight: number; readonly kinds: readonly AppendSummary[] }[];
};

type Run = Omit<EventStoreDbOptions, 'url' | 'inFlight'> & {
  readonly url: string;
  readonly serverPid: number | null;
  readonly inFlight: number;
};

/** What a round consists of, in order: each kind that has a ratio follows a baseline of its own. */
const ROUND = ['unary', 'distinct', 'unary', 'four', 'duplicates', 'forgotten', 'batch'] as const;
/** Enough that everything is compiled, and that `four` is in the middle of its orders. */
const WARM_UP_APPENDS = FOUR_BEGUN + 400;
const LONGEST_WARM_UP_SECONDS = 20;
/** As many as fit into the memory of a small machine. */
const MOST_PREPARED = 100_000;

const measureRounds = async (
  scene: AppendScene,
  { inFlight, seconds, rounds, serverPid }: Run,
  note: (line: string) => void,
): Promise<readonly MeasuredAppends[]> => {
  const places = new Map<AppendKind, number>();
  const rates = new Map<AppendKind, number>();
  const stretchOf = async (
    kind: keyof AppendScene['kinds'],
    count: number,
    longest: number,
  ): Promise<AppendStretch> => {
    const appends = scene.kinds[kind];
    const place = places.get(kind) ?? 0;
    appends.prepare(place, count);
    const limits = { inFlight, seconds: longest, most: appends.repeats ? Infinity : count };
    const stretch = await watchedStretch({ own: process.pid, server: serverPid }, appendLoad(appends, limits));
    scene.assertTail();
    places.set(kind, place + stretch.appends);
    rates.set(kind, stretch.perSecond);
    return stretch;
  };
  for (const kind of new Set(ROUND)) {
    await stretchOf(kind, WARM_UP_APPENDS, scene.kinds[kind].repeats ? seconds : LONGEST_WARM_UP_SECONDS);
  }
  const measured: MeasuredAppends[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    let baseline = NaN;
    const shown: string[] = [];
    for (const kind of ROUND) {
      const count = Math.min(MOST_PREPARED, Math.ceil(1.5 * (rates.get(kind) ?? 0) * seconds));
      const stretch = await stretchOf(kind, count, seconds);
      if (kind === 'unary') baseline = stretch.perSecond;
      const ratio = APPEND_KINDS[kind].hasRatio ? stretch.perSecond / baseline : null;
      measured.push({ kind, stretch, ratio });
      if (ratio !== null) shown.push(`${APPEND_KINDS[kind].title} ${ratio.toFixed(3)}`);
    }
    note(`${inFlight} in flight, round ${round} of ${rounds}: ${shown.join('; ')}`);
  }
  return measured;
};

const measureRun = async (
  owned: OwnedResources,
  run: Run,
  note: (line: string) => void,
): Promise<readonly AppendSummary[]> => {
  const scene = await openScene(owned, run.url, run.inFlight);
  const measured = await measureRounds(scene, run, note);
  await scene.close();
  const overHttp = await measureOverHttp(owned, run);
  const all = [...measured, ...overHttp.map((stretch): MeasuredAppends => ({ kind: 'http', stretch, ratio: null }))];
  return [...new Set<AppendKind>([...ROUND, 'http'])].map((kind) => appendSummary(kind, all));
};

const mean = (sizes: readonly number[]): number =>
  Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);

/** Of orders of both flows. */
const eventSizes = (): Pick<EventStoreDbResult, 'dataBytes' | 'metadataBytes'> => {
  const events = newDeliveries(firstStatus)(0, 100).map(({ verified, content }) => orderEvent(verified, content).event);
  return {
    dataBytes: mean(events.map(({ data }) => data.length)),
    metadataBytes: mean(events.map(({ metadata }) => metadata.length)),
  };
};

/**
 * Appends per second through the ledger, the look after each append included, beside the raw client's of the same
 * events in the same process; the two take turns. On a server that is named streams of a prefix of its own are left
 * behind; the double has a fresh process for each number in flight.
 *
 * @param note takes a line of progress
 * @throws Error where an append fails, or a delivery is answered anything but what is right
 */
export const measureEventStoreDb = async (
  owned: OwnedResources,
  { url, seconds, rounds, inFlight }: EventStoreDbOptions,
  note: (line: string) => void,
): Promise<EventStoreDbResult> => {
  const runs: EventStoreDbResult['runs'][number][] = [];
  for (const each of inFlight) {
    const double = url === null ? await startEventStoreDbDouble(owned) : null;
    const run = { url: double?.url ?? url ?? '', serverPid: double?.pid ?? null, seconds, rounds, inFlight: each };
    runs.push({ inFlight: each, kinds: await measureRun(owned, run, note) });
    await double?.stop();
  }
  return {
    benchmark: 'eventstoredb',
    subject: 'ledger',
    baseline: "raw client's unary appends",
    goalRatio: GOAL_RATIO,
    server: url === null ? 'double' : 'named',
    ...eventSizes(),
    runs,
  };
};

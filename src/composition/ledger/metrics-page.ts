import { either as E } from 'fp-ts';
import type { MetricsPage } from '../../api/metrics-routes.ts';
import type { Config, Secrets } from '../../config/index.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { positionNumber } from '../../domain/position.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SpoolFigures } from '../../telemetry/spool-metrics.ts';
import { freeBytes } from './free-bytes.ts';
import { readLag } from './read-lag.ts';
import type { ThreadStates } from './thread-states.ts';
import { withinTime } from './within-time.ts';

/** Where figures come from that are read when somebody asks for the page. */
export type MetricsSources = {
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'dataDir' | 'spoolMaxBytes'>;
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'readiness'>;
  readonly readModels: Pick<ReadModels, 'progress' | 'tallies'>;
  /** Number of the generation that serves; null before one does. */
  readonly generation: () => number | null;
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** Null where there is none. */
  readonly spool: () => SpoolState | null;
  readonly threads: Pick<ThreadStates, 'working'>;
  readonly secrets: () => Secrets;
  readonly now: () => Instant;
};

/** A store or a disk that does not answer holds the page up for so long; what it would have told is not on it. */
const WITHIN_MS = 2_000;

const spoolFigures = ({ spool, config, now }: MetricsSources): SpoolFigures | null => {
  const state = spool();
  if (state === null) return null;
  const { depth, setAside, bytes, oldestReceivedAt } = state;
  const ageMs = oldestReceivedAt === null ? 0 : epochMsOf(now()) - epochMsOf(oldestReceivedAt);
  const oldestAgeSeconds = Math.max(0, ageMs) / 1_000;
  return { deliveries: depth, setAside, oldestAgeSeconds, bytes, limitBytes: config.spoolMaxBytes };
};

const known = <A>(answer: E.Either<unknown, A> | null): A | null =>
  answer === null || E.isLeft(answer) ? null : answer.right;

/** The page of metrics as it is now. Callers who come while one is made get that one. */
export const metricsPage = (sources: MetricsSources, withinMs = WITHIN_MS): (() => Promise<MetricsPage>) => {
  const { metrics, config, store, readModels, generation, readiness, secrets, now } = sources;
  const lag = withinTime(withinMs, () => readLag(store, readModels.progress().checkpoint, now));
  const tallies = withinTime(withinMs, () => readModels.tallies(now())());
  const disk = withinTime(withinMs, freeBytes(config.dataDir));

  const collect = async (): Promise<void> => {
    // Before a generation serves, a question would wait for it.
    const serving = generation();
    const [behind, counted, free] = await Promise.all([lag(), serving === null ? null : tallies(), disk()]);
    const logged = known(behind);
    const { checkpoint, building } = readModels.progress();
    metrics.instance({
      ready: readiness().ready,
      eventStoreUp: store.readiness().ready,
      dataDiskFreeBytes: known(free),
      threads: sources.threads.working(),
    });
    metrics.spool(spoolFigures(sources));
    metrics.orders(known(counted));
    metrics.deliveries.secrets(secrets().webhook.active.map(({ id }) => id));
    metrics.readModels.show({
      generation: serving,
      building,
      position: checkpoint === null ? null : positionNumber(checkpoint.position),
      head: logged === null ? null : logged.head === null ? 0 : positionNumber(logged.head),
      // What serves nothing yet is not behind: it is being built.
      lagSeconds: serving === null ? null : (logged?.seconds ?? null),
    });
  };

  let underWay: Promise<MetricsPage> | null = null;
  return () =>
    (underWay ??= collect()
      .then(metrics.page)
      .finally(() => {
        underWay = null;
      }));
};

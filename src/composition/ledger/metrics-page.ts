import * as E from 'fp-ts/lib/Either.js';
import type { MetricsPage } from '../../api/metrics-routes.ts';
import type { Config } from '../../config/index.ts';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import { positionNumber } from '../../domain/position.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { LogFigures } from '../../telemetry/log-metrics.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { SpoolFigures } from '../../telemetry/spool-metrics.ts';
import type { LedgerState } from './ledger-state.ts';
import { withinTime } from './within-time.ts';

/** Where figures come from that are read when somebody asks for the page. */
export type MetricsSources = {
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'spoolMaxBytes'>;
  readonly state: (withinMs: number) => Promise<LedgerState>;
  readonly readModels: Pick<ReadModels, 'tallies'>;
  /** Number of the generation that serves; null before one does. */
  readonly generation: () => number | null;
  /** How many lines of the log were lost. */
  readonly logLinesLost: () => number;
  readonly now: () => Instant;
};

/** A store or a disk that does not answer holds the page up for so long; what it would have told is not on it. */
const WITHIN_MS = 2_000;

const spoolFigures = (spool: SpoolState, at: Instant, limitBytes: number): SpoolFigures => {
  const { isCounting, depth, setAside, bytes, oldestReceivedAt } = spool;
  const ageMs = oldestReceivedAt === null ? 0 : epochMsOf(at) - epochMsOf(oldestReceivedAt);
  return {
    deliveries: isCounting ? null : depth,
    setAside: isCounting ? null : setAside,
    oldestAgeSeconds: isCounting && oldestReceivedAt === null ? null : Math.max(0, ageMs) / 1_000,
    bytes,
    limitBytes,
  };
};

const positionFigure = (head: LedgerState['log']): number | null => {
  if (head === null) return null;
  return head.head === null ? 0 : positionNumber(head.head);
};

const logFigures = ({ signed, witnesses }: LedgerState): LogFigures => {
  const witnessesRefusing = witnesses.filter(({ state }) => state === 'refused').length;
  if (E.isLeft(signed)) {
    const historyLost = signed.left._tag === 'HistoryLost';
    return { historyLost, checkpointEvents: null, cosignatures: null, witnessesRefusing, checkpointSeconds: null };
  }
  const { size, signedAt } = signed.right;
  return {
    historyLost: false,
    checkpointEvents: size,
    cosignatures: witnesses.filter((witness) => witness.state === 'cosigned' && witness.size === size).length,
    witnessesRefusing,
    checkpointSeconds: epochMsOf(signedAt) / 1_000,
  };
};

/** The page of metrics as it is now. Callers who come while one is made get that one. */
export const metricsPage = (sources: MetricsSources, withinMs = WITHIN_MS): (() => Promise<MetricsPage>) => {
  const { metrics, config, state, readModels, generation, logLinesLost, now } = sources;
  const tallies = withinTime(() => readModels.tallies(now())());

  const collect = async (): Promise<void> => {
    const told = state(withinMs);
    // Before a generation serves, a question would wait for it. Where one begins to serve meanwhile, the page that gives
    // its position gives its counts too.
    const countedOf = async (): Promise<Awaited<ReturnType<typeof tallies>>> => {
      const serves = generation() ?? (await told).readModels.generation;
      return serves === null ? null : tallies(withinMs);
    };
    const [seen, counted] = await Promise.all([told, countedOf()]);
    const { checkpoint, building, lagSeconds, generation: serving } = seen.readModels;
    metrics.instance({
      ready: seen.deliveries.ready,
      eventStoreUp: seen.eventStore.ready,
      eventStoreDamaged: seen.eventsDamaged,
      threads: seen.threadsWorking,
      dataDiskFreeBytes: seen.dataDiskFreeBytes,
      logLinesLost: logLinesLost(),
    });
    metrics.log(logFigures(seen));
    metrics.spool(seen.spool === null ? null : spoolFigures(seen.spool, seen.at, config.spoolMaxBytes));
    metrics.orders(counted === null || E.isLeft(counted) ? null : counted.right);
    metrics.deliveries.secrets(seen.webhookSecrets.active.map(({ id }) => id));
    metrics.readModels.show({
      generation: serving,
      building,
      position: checkpoint === null ? null : positionNumber(checkpoint.position),
      head: positionFigure(seen.log),
      lagSeconds,
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

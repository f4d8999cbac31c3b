import { collectDefaultMetrics, Registry } from 'prom-client';
import { appendMetrics, type AppendMetrics } from './append-metrics.ts';
import { deliveryMetrics, type DeliveryMetrics } from './delivery-metrics.ts';
import { instanceMetrics, type Build, type InstanceFigures } from './instance-metrics.ts';
import { logMetrics, type LogFigures } from './log-metrics.ts';
import { orderMetrics, type OrderFigures } from './order-metrics.ts';
import { readModelMetrics, type ReadModelMetrics } from './read-model-metrics.ts';
import { requestMetrics, type RequestMetrics } from './request-metrics.ts';
import { spoolMetrics, type SpoolFigures } from './spool-metrics.ts';

/**
 * Everything that is measured of a ledger, in base units. Counters and histograms are told as things happen; gauges are
 * read when somebody asks. No label has a value that a caller or the provider chooses.
 */
export type Metrics = {
  readonly requests: RequestMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly appends: AppendMetrics;
  readonly readModels: ReadModelMetrics;
  readonly spool: (spool: SpoolFigures | null) => void;
  readonly orders: (figures: OrderFigures | null) => void;
  readonly log: (figures: LogFigures) => void;
  readonly instance: (figures: InstanceFigures) => void;
  /** The page in Prometheus' text format, and its media type. */
  readonly page: () => Promise<{ readonly type: string; readonly text: string }>;
};

/** What labels can say. */
export type MetricsOptions = {
  readonly build: Build;
  readonly outcomes: readonly string[];
  readonly rejectionCodes: readonly string[];
};

/** The metrics of one ledger, those of its process among them. */
export const createMetrics = ({ build, outcomes, rejectionCodes }: MetricsOptions): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    requests: requestMetrics(registry),
    deliveries: deliveryMetrics(registry, outcomes, rejectionCodes),
    appends: appendMetrics(registry),
    readModels: readModelMetrics(registry),
    spool: spoolMetrics(registry),
    orders: orderMetrics(registry),
    log: logMetrics(registry),
    instance: instanceMetrics(registry, build),
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
};

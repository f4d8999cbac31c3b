import { Counter, type Registry } from 'prom-client';
import { DurationHistogram, type DurationSeries } from './duration-histogram.ts';

/** A request that was answered. */
type AnsweredRequest = {
  /** The template of the route that took it, never its path: each value is a time series. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
};

/** Counts a request. */
export type RequestMetrics = (request: AnsweredRequest) => void;

/** Whatever else a caller sends is one series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';

/** Requests of one route, method and status. */
type Counted = { requests: number; readonly durations: DurationSeries };

/** The value of a key, made where there is none yet. */
const kept = <K, V>(values: Map<K, V>, key: K, make: () => V): V => {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
};

/**
 * Requests by route, method and status, and how long their answers took. They are counted in maps, without a text for each
 * request.
 */
export const requestMetrics = (registry: Registry): RequestMetrics => {
  const byRoute = new Map<string, Map<string, Map<number, Counted>>>();
  const byClass = new Map<string, Map<string, DurationSeries>>();
  const counter = new Counter({
    name: 'ramp_ledger_http_requests_total',
    help: 'Requests that were answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [route, byMethod] of byRoute) {
        for (const [method, byStatus] of byMethod) {
          for (const [status, { requests }] of byStatus) counter.inc({ route, method, status }, requests);
        }
      }
    },
  });
  const durations = new DurationHistogram(
    registry,
    'ramp_ledger_http_request_duration_seconds',
    'Time until the answer was made, by route and class of status.',
  );
  const durationsOf = (route: string, status: number): DurationSeries => {
    const status_class = `${Math.floor(status / 100)}xx`;
    const ofRoute = kept(byClass, route, () => new Map<string, DurationSeries>());
    return kept(ofRoute, status_class, () => durations.begin({ route, status_class }));
  };
  return ({ route, method: sent, status, seconds }) => {
    const method = METHODS.has(sent) ? sent : OTHER_METHOD;
    const byMethod = kept(byRoute, route, () => new Map<string, Map<number, Counted>>());
    const byStatus = kept(byMethod, method, () => new Map<number, Counted>());
    const counted = kept(byStatus, status, () => ({ requests: 0, durations: durationsOf(route, status) }));
    counted.requests += 1;
    counted.durations.observe(seconds);
  };
};

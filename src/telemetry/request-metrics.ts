import { Counter, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './duration-buckets.ts';

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

/** Requests by route, method and status, and how long their answers took. */
export const requestMetrics = (registry: Registry): RequestMetrics => {
  const requests = new Counter({
    name: 'ramp_ledger_http_requests_total',
    help: 'Requests that were answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'ramp_ledger_http_request_duration_seconds',
    help: 'Time until the answer was made, by route and class of status.',
    labelNames: ['route', 'status_class'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return ({ route, method, status, seconds }) => {
    requests.inc({ route, method: METHODS.has(method) ? method : OTHER_METHOD, status });
    durations.observe({ route, status_class: `${Math.floor(status / 100)}xx` }, seconds);
  };
};

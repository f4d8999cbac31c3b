import type { AccessLine } from '../../http/access-log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { DELIVERIES_PATH } from '../../http/deliveries-path.ts';

/** The code of an answer that nobody expected to give. */
export const INTERNAL_ERROR = 'internal-error';

const FIRST_REFUSAL = 300;

/** Counts each request when its reply is made, and what became of each delivery. */
export const requestMeter =
  ({ requests, deliveries }: Pick<Metrics, 'requests' | 'deliveries'>): ((line: AccessLine) => void) =>
  ({ route, method, status, durationMs, outcome }) => {
    const seconds = durationMs / 1_000;
    requests({ route, method, status, seconds });
    if (route !== DELIVERIES_PATH || method !== 'POST') return;
    if (outcome !== undefined && status < FIRST_REFUSAL) deliveries.accepted(outcome, seconds);
    else deliveries.rejected(status >= FIRST_REFUSAL && outcome !== undefined ? outcome : INTERNAL_ERROR, seconds);
  };

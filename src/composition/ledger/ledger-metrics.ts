import type { Config } from '../../config/index.ts';
import type { Recorded } from '../../ledger/recorded.ts';
import type { Spooled } from '../../ledger/spooled.ts';
import { createMetrics, type Metrics } from '../../telemetry/metrics.ts';
import { REJECTION_CODES } from '../../webhooks/rejection.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { INTERNAL_ERROR } from './request-meter.ts';

const OUTCOMES: Readonly<Record<(Recorded | Spooled)['outcome'], true>> = {
  recorded: true,
  duplicate: true,
  conflict: true,
  quarantined: true,
  spooled: true,
};

/** The metrics of a ledger of this version. */
export const ledgerMetrics = ({ eventStore }: Pick<Config, 'eventStore'>): Metrics =>
  createMetrics({
    build: { version: packageJson.version, node: process.version, eventStore: eventStore.kind },
    outcomes: Object.keys(OUTCOMES),
    rejectionCodes: [...REJECTION_CODES, INTERNAL_ERROR],
  });

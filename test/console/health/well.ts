import type { LedgerHealth } from '../../../src/console/health/ledger-health.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { positionAt } from '../../../src/domain/position.ts';

const GIB = 1_024 ** 3;

/** A ledger that lacks nothing at a moment. */
export const wellAt = (at: Instant): LedgerHealth => ({
  version: '1.2.3',
  node: 'v26.0.0',
  startedAt: at,
  deliveries: { ready: true },
  eventStore: { kind: 'sqlite', working: { ready: true }, isDamaged: false, head: '7' },
  spool: null,
  readModels: {
    generation: 3,
    building: null,
    checkpoint: { position: positionAt(7), at: at },
    lagSeconds: 0,
  },
  signed: { _tag: 'Signed', size: 7, at: at },
  witnesses: [],
  threadsDown: [],
  dataDiskFreeBytes: 80 * GIB,
  secrets: [],
});

import * as E from 'fp-ts/lib/Either.js';
import type { Config } from '../../config/index.ts';
import type { LedgerHealth, SecretHealth, SignedHealth, SpoolHealth } from '../../console/health/ledger-health.ts';
import { instantOf, type Instant } from '../../domain/instant.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { DeliveryMetrics } from '../../telemetry/delivery-metrics.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { LedgerState } from './ledger-state.ts';

/** What the console shows beside the state of the ledger. */
export type HealthSources = {
  readonly config: Pick<Config, 'spoolMaxBytes' | 'eventStore'>;
  readonly state: (withinMs: number) => Promise<LedgerState>;
  readonly lastSignedMs: DeliveryMetrics['lastSignedMs'];
  readonly startedAt: Instant;
};

/** A person waits: what a store or a disk does not tell within this is not shown. */
const WITHIN_MS = 1_000;

const spoolHealth = (state: SpoolState, limitBytes: number): SpoolHealth => {
  const { isCounting, depth, setAside, oldestReceivedAt, bytes } = state;
  return { isCounting, depth, setAside, oldestReceivedAt, bytes, limitBytes };
};

const secretsHealth = (
  { active, retired }: LedgerState['webhookSecrets'],
  lastSignedMs: HealthSources['lastSignedMs'],
): readonly SecretHealth[] => {
  const health = (accepted: boolean) => (secret: (typeof active)[number]) => {
    const usedMs = lastSignedMs(secret.id);
    return { id: secret.id, accepted, lastUsedAt: usedMs === null ? null : instantOf(usedMs) };
  };
  return [...active.map(health(true)), ...retired.map(health(false))];
};

const signedHealth = (signed: LedgerState['signed']): SignedHealth => {
  if (E.isRight(signed)) return { _tag: 'Signed', size: signed.right.size, at: signed.right.signedAt };
  return signed.left._tag === 'HistoryLost'
    ? { _tag: 'Lost', detail: signed.left.detail }
    : { _tag: 'NotYet', detail: signed.left.detail };
};

/** How the ledger is, for the console. Never waits long, and never fails: what is not known in time is null. */
export const ledgerHealth =
  ({ config, state, lastSignedMs, startedAt }: HealthSources, withinMs = WITHIN_MS): (() => Promise<LedgerHealth>) =>
  async () => {
    const seen = await state(withinMs);
    const { deliveries, eventStore, log, spool, readModels, threadsDown, dataDiskFreeBytes } = seen;
    return {
      version: packageJson.version,
      node: process.version,
      startedAt,
      deliveries,
      eventStore: {
        kind: config.eventStore.kind,
        working: eventStore,
        isDamaged: seen.eventsDamaged,
        head: log?.head ?? null,
      },
      spool: spool === null ? null : spoolHealth(spool, config.spoolMaxBytes),
      readModels,
      signed: signedHealth(seen.signed),
      witnesses: seen.witnesses,
      threadsDown,
      dataDiskFreeBytes,
      secrets: secretsHealth(seen.webhookSecrets, lastSignedMs),
    };
  };

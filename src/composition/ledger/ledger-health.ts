import { either as E } from 'fp-ts';
import type { Config, Secrets } from '../../config/index.ts';
import type { LedgerHealth, SecretHealth, SpoolHealth } from '../../console/health/ledger-health.ts';
import { instantOf, type Instant } from '../../domain/instant.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { DeliveryMetrics } from '../../telemetry/delivery-metrics.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { freeBytes } from './free-bytes.ts';
import { readLag } from './read-lag.ts';
import type { ThreadStates } from './thread-states.ts';
import { withinTime } from './within-time.ts';

/** Where it is read from how a ledger is. */
export type HealthSources = {
  readonly config: Pick<Config, 'dataDir' | 'spoolMaxBytes' | 'eventStore'>;
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'readiness'>;
  readonly readModels: Pick<ReadModels, 'progress'>;
  /** Number of the generation that serves; null before one does. */
  readonly generation: () => number | null;
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** Null where there is none. */
  readonly spool: () => SpoolState | null;
  readonly threads: Pick<ThreadStates, 'down'>;
  readonly secrets: () => Secrets;
  readonly lastSignedMs: DeliveryMetrics['lastSignedMs'];
  readonly startedAt: Instant;
  readonly now: () => Instant;
};

/** A person waits: what a store or a disk does not tell within this is not shown. */
const WITHIN_MS = 1_000;

const spoolHealth = (state: SpoolState, limitBytes: number): SpoolHealth => {
  const { depth, setAside, oldestReceivedAt, bytes } = state;
  return { depth, setAside, oldestReceivedAt, bytes, limitBytes };
};

const secretsHealth = ({ secrets, lastSignedMs }: HealthSources): readonly SecretHealth[] => {
  const { active, retired } = secrets().webhook;
  const health = (accepted: boolean) => (secret: (typeof active)[number]) => {
    const usedMs = lastSignedMs(secret.id);
    return { id: secret.id, accepted, lastUsedAt: usedMs === null ? null : instantOf(usedMs) };
  };
  return [...active.map(health(true)), ...retired.map(health(false))];
};

/** How the ledger is when somebody asks. Never waits long, and never fails: what is not known in time is null. */
export const ledgerHealth = (sources: HealthSources, withinMs = WITHIN_MS): (() => Promise<LedgerHealth>) => {
  const { config, store, readModels, generation, readiness, spool, startedAt, now } = sources;
  const lag = withinTime(withinMs, () => readLag(store, readModels.progress().checkpoint, now));
  const free = withinTime(withinMs, freeBytes(config.dataDir));
  return async () => {
    const [behind, disk] = await Promise.all([lag(), free()]);
    const logged = behind === null || E.isLeft(behind) ? null : behind.right;
    const serving = generation();
    const waiting = spool();
    return {
      version: packageJson.version,
      node: process.version,
      startedAt,
      deliveries: readiness(),
      eventStore: { kind: config.eventStore.kind, working: store.readiness(), head: logged?.head ?? null },
      spool: waiting === null ? null : spoolHealth(waiting, config.spoolMaxBytes),
      readModels: {
        ...readModels.progress(),
        generation: serving,
        // What serves nothing yet is not behind: it is being built.
        lagSeconds: serving === null ? null : (logged?.seconds ?? null),
      },
      threadsDown: sources.threads.down(),
      dataDiskFreeBytes: disk === null || E.isLeft(disk) ? null : disk.right,
      secrets: secretsHealth(sources),
    };
  };
};

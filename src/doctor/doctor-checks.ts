import type { ArrivalsSeen } from '../arrivals/arrivals-seen.ts';
import type { Config } from '../config/config.ts';
import type { Instant } from '../domain/instant.ts';
import type { Trouble } from '../domain/trouble.ts';
import type { ReadModelsSeen } from '../read-models/read-models-seen.ts';
import { arrivalsCheck } from './arrivals-check.ts';
import { checkpointsCheck, type CheckpointsSeen } from './checkpoints-check.ts';
import { clockCheck } from './clock-check.ts';
import { connectionsCheck } from './connections-check.ts';
import { configurationCheck } from './configuration-check.ts';
import { dataDirectoryCheck, type DataDirectorySeen } from './data-directory-check.ts';
import { diskCheck, type DisksSeen } from './disk-check.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { eventStoreCheck } from './event-store-check.ts';
import type { ExaminedLog } from './examined-log.ts';
import { isServing, ledgerCheck, type ServingState } from './ledger-check.ts';
import { readModelsCheck } from './read-models-check.ts';
import { apiKeysCheck, webhookSecretsCheck } from './secrets-check.ts';
import { setAsideCheck, spoolCheck, type SpoolSeen } from './spool-check.ts';
import { upstreamCheck, type UpstreamSeen } from './upstream-check.ts';

/** What was found of all that a ledger stands on. */
export type LedgerFacts = {
  readonly config: Config;
  /** What whoever configured it should hear of. */
  readonly warnings: readonly string[];
  readonly dataDirectory: DataDirectorySeen;
  readonly ledger: ServingState;
  readonly log: ExaminedLog;
  /** Why a start would be refused the event store: another ledger has its file. Null: none has. */
  readonly storeInUse: Trouble | null;
  readonly spool: SpoolSeen['contents'];
  readonly readModels: ReadModelsSeen;
  readonly checkpoints: CheckpointsSeen;
  /** Null: the ledger that serves did not tell. */
  readonly arrivals: ArrivalsSeen | null;
  readonly disks: DisksSeen;
  readonly upstream: UpstreamSeen;
  /** When all of it was there. */
  readonly at: Instant;
};

/** What `doctor` makes of what was found, in the order in which it is shown. */
export const doctorChecks = (facts: LedgerFacts): readonly DoctorCheck[] => {
  const { config, log, readModels, upstream, at: now } = facts;
  const { dataDir, host, secrets, businessTimeZone: timeZone } = config;
  const serves = isServing(facts.ledger);
  const storeWavers = facts.ledger._tag === 'Told' ? (facts.ledger.state.storeWavers ?? null) : null;
  const spool: SpoolSeen = {
    contents: facts.spool,
    mostBytes: config.spoolMaxBytes,
    serves,
    storeAway: log._tag === 'Away',
    storeWavers,
  };
  return [
    configurationCheck(config, facts.warnings),
    dataDirectoryCheck(dataDir, facts.dataDirectory),
    ledgerCheck(facts.ledger),
    connectionsCheck(facts.ledger),
    eventStoreCheck(config.eventStore, log, readModels, { inUse: facts.storeInUse, wavers: storeWavers }),
    arrivalsCheck(facts.arrivals, readModels._tag === 'Serving' ? readModels.quarantined : null, now),
    spoolCheck(spool, now),
    setAsideCheck(spool),
    readModelsCheck(readModels, { log, timeZone, serves, now }),
    checkpointsCheck(facts.checkpoints, { log, serves, now }),
    webhookSecretsCheck({ host, secrets }, log, now),
    apiKeysCheck(host, secrets),
    clockCheck(now, log, upstream._tag === 'LoggedIn' ? upstream.time : null),
    diskCheck(facts.disks),
    upstreamCheck(upstream),
  ];
};

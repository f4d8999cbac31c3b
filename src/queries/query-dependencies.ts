import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Calendar } from '../domain/business-day.ts';
import type { Instant } from '../domain/instant.ts';
import type { LineKey } from '../domain/line-key.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Recorded, RecordFailure } from '../ledger/recorded.ts';
import type { NotQuarantined, ReleaseRequest } from '../ledger/release-quarantined.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import type { ProofLog } from '../proofs/proof-log.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Exporter } from './exports/exporter.ts';
import type { TakeImportTurn } from './statements/import-turn.ts';
import type { StatementFiles } from './statements/statement-files.ts';
import type { MonthReckoning } from './periods/month-reckoning.ts';
import type { TakeMonths } from './periods/one-by-one.ts';
import type { LiveFeed } from './live/live-feed.ts';

/** What questions stand on, whoever asks. */
export type QueryDependencies = MonthReckoning & {
  readonly store: Pick<
    EventStore,
    'readStream' | 'streamPages' | 'lastOfStream' | 'readAt' | 'headersAt' | 'head' | 'parsePosition' | 'append'
  >;
  readonly readModels: Omit<ReadModels, 'close'>;
  /** Of the business time zone, the one that the read models are built with. */
  readonly calendar: Calendar;
  /** Decides a quarantined body again (docs/spec/domain.md, Release). */
  readonly release: (request: ReleaseRequest) => TE.TaskEither<RecordFailure | NotQuarantined, Recorded>;
  readonly secretKey: SecretKeyById;
  readonly statementFiles: StatementFiles;
  /** Keeps imports of bank files by other processes away. */
  readonly importTurn: TakeImportTurn;
  readonly proofs: ProofLog;
  /** How many deliveries wait for the event store; null: that is not known now, or is still being counted. */
  readonly waiting: () => number | null;
  readonly takeMonths: TakeMonths;
  /** Whether whoever asked still waits, so that nothing is begun for somebody who hung up. */
  readonly isAwaited: () => boolean;
  readonly exporter: Exporter;
  readonly liveFeed: LiveFeed;
  /** How many days a settled order is expected at the bank before it is missed. */
  readonly matchDueDays: number;
  /** Draws a new key for the ids of bank lines, where the log has none. */
  readonly drawLineKey: () => LineKey;
  readonly now: () => Instant;
};

import type { taskEither as TE } from 'fp-ts';
import type { Calendar } from '../domain/business-day.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { EventStore, Readiness } from '../event-store/event-store.ts';
import type { ApiLog } from '../http/api-log.ts';
import type { Recorded, RecordFailure } from '../ledger/recorded.ts';
import type { NotQuarantined, ReleaseRequest } from '../ledger/release-quarantined.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { ApiKey } from './api-key.ts';
import type { Exporter } from './exports/exporter.ts';
import type { LiveFeed } from './live/live-feed.ts';
import type { QueryLimits } from './query-limits.ts';

/** What the query side stands on. */
export type ApiDependencies = {
  readonly store: Pick<EventStore, 'readStream' | 'readAt' | 'head' | 'parsePosition'>;
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  readonly readModels: Omit<ReadModels, 'close'>;
  /** Of the business time zone, the one that the read models are built with. */
  readonly calendar: Calendar;
  /** Decides a quarantined body again (docs/spec/domain.md, Release). */
  readonly release: (request: ReleaseRequest) => TE.TaskEither<RecordFailure | NotQuarantined, Recorded>;
  /** The keys that are valid now. */
  readonly apiKeys: () => readonly ApiKey[];
  readonly limits: QueryLimits;
  readonly secretKey: SecretKeyById;
  readonly exporter: Exporter;
  readonly liveFeed: LiveFeed;
  /** Aborted when the ledger is told to stop: what has no end of its own ends then. */
  readonly closing: AbortSignal;
  readonly now: () => Instant;
  readonly newRequestId: () => RequestId;
  readonly log: ApiLog;
};

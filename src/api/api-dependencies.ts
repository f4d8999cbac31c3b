import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import type { ApiKey } from './api-key.ts';
import type { ApiLog } from '../http/api-log.ts';

/** What the query side stands on. */
export type ApiDependencies = {
  readonly store: Pick<EventStore, 'readStream' | 'readiness' | 'parsePosition'>;
  /** The keys that are valid now. */
  readonly apiKeys: () => readonly ApiKey[];
  readonly secretKey: SecretKeyById;
  readonly now: () => Instant;
  readonly newRequestId: () => RequestId;
  readonly log: ApiLog;
};

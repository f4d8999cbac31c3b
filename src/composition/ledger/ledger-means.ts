import type { Secrets } from '../../config/index.ts';
import type { RequestId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { LineKey } from '../../domain/line-key.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { AccessLog } from '../../http/access-log.ts';
import type { CutOffLog } from '../../http/cut-off.ts';
import type { Log } from '../../telemetry/logger.ts';
import type { ReceiveSettings } from '../../webhooks/receive-delivery.ts';

/** What a ledger is given beside its configuration: what a test gives in its own way. */
export type LedgerMeans = {
  readonly now: () => Instant;
  readonly newRequestId: () => RequestId;
  readonly drawLineKey: () => LineKey;
  readonly log: Log['logger'];
  /** Told of each request when its reply is made. */
  readonly onRequest: AccessLog;
  readonly onCutOff: CutOffLog;
  /** How many lines of the log were lost; where it is not given, none. */
  readonly logLinesLost?: Log['lost'];
  /** How many files this process may have open at once; null: without a bound, or not known. */
  readonly openFiles: number | null;
  /** The secrets and keys of this moment. */
  readonly secrets: () => Secrets;
  /** Other bounds of receiving than the usual ones. */
  readonly receiving?: Partial<Pick<ReceiveSettings, 'mostUnderWay' | 'mostUnread' | 'bodyWithinMs'>>;
  /** Stands between the ledger and its event store, and so may fail as one. */
  readonly wrapStore?: (store: EventStore) => EventStore;
};

import type { Access } from '../access/access.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Readiness } from '../event-store/event-store.ts';
import type { ApiLog } from '../http/api-log.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { HandOver } from './handed-question.ts';

/** What the HTTP interface stands on. */
export type ApiDependencies = QueryDependencies &
  Access & {
    /** Whether a delivery could be accepted now. */
    readonly readiness: () => Readiness;
    /** Names of the threads that don't work now; deliveries do without them. */
    readonly threadsDown: () => readonly string[];
    /** Whether a damaged page of the events was met. */
    readonly eventsDamaged: () => boolean;
    /** Aborted when the ledger is told to stop: what has no end of its own ends then. */
    readonly closing: AbortSignal;
    /** Absent where there is no other thread to answer. */
    readonly handOver?: HandOver;
    readonly newRequestId: () => RequestId;
    readonly log: ApiLog;
  };

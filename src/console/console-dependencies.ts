import type * as E from 'fp-ts/lib/Either.js';
import type { ArrivalsSeen } from '../arrivals/arrivals-seen.ts';
import type { Access } from '../access/access.ts';
import type { ApiLog } from '../http/api-log.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { PeekTable } from '../queries/statements/statement-files.ts';
import type { HandedPage } from './handed-page.ts';
import type { LedgerHealth } from './health/ledger-health.ts';
import type { WrittenPage } from './page.ts';
import type { StagedFiles } from './upload/staged-files.ts';

/** What the pages stand on: what can be asked and by whom, and how the ledger itself is. */
export type ConsoleDependencies = QueryDependencies &
  Access & {
    /** What arrived, and what of it was refused. */
    readonly arrivals: () => ArrivalsSeen;
    readonly health: () => Promise<LedgerHealth>;
    /**
     * Whether the ledger listens where this machine alone reaches it: then whoever has signed in from here may see all of it,
     * as with `/metrics` (docs/spec/http.md, Health and metrics); else those with the scope `admin`.
     */
    readonly openHealth: boolean;
    /** Aborted when the ledger is told to stop: what has no end of its own ends then. */
    readonly closing: AbortSignal;
    readonly endedSessions: EndedSessions;
    /** Bank files that somebody looks at before they are imported. */
    readonly stagedFiles: StagedFiles;
    readonly peekTable: PeekTable;
    /** Has a large page made in another thread; null: there is none now, and it is made here. Absent where there never is. */
    readonly handOverPage?: (page: HandedPage) => Promise<E.Either<QueryFailure, WrittenPage> | null>;
    readonly log: ApiLog;
  };

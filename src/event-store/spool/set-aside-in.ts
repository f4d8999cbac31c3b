import { branded } from '../../domain/brand.ts';
import type { RequestId, Sha256 } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { SetAsideEntry } from '../spool.ts';
import { spoolStatements } from './spool-statements.ts';

/**
 * What was set aside in a spool, in order of arrival. Its texts are as the ledger wrote them, or as a damaged disk gives them.
 *
 * @throws SqliteError where it can't be read
 */
export const setAsideIn = (statements: SqliteStatements): readonly SetAsideEntry[] =>
  statements.all(spoolStatements.allSetAside, {}).map((row) => ({
    seq: row.seq,
    key: row.key,
    bodySha256: branded<Sha256>(row.body_sha256),
    receivedAt: branded<Instant>(row.received_at),
    requestId: branded<RequestId>(row.request_id),
    problem: row.problem,
    at: branded<Instant>(row.at),
  }));

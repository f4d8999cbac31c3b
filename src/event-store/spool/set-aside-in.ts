import type Database from 'better-sqlite3';
import { branded } from '../../domain/brand.ts';
import type { RequestId, Sha256 } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SetAsideEntry } from '../spool.ts';

type Row = {
  readonly seq: number;
  readonly key: string;
  readonly body_sha256: string;
  readonly received_at: string;
  readonly request_id: string;
  readonly problem: string;
  readonly at: string;
};

/**
 * What was set aside in a spool, in order of arrival. Its texts are as the ledger wrote them, or as a damaged disk gives them.
 *
 * @throws SqliteError where it can't be read
 */
export const setAsideIn = (database: Database.Database): readonly SetAsideEntry[] =>
  database
    .prepare<[], Row>(
      'SELECT seq, key, body_sha256, received_at, request_id, problem, at FROM set_aside JOIN deliveries USING (seq) ORDER BY seq',
    )
    .all()
    .map((row) => ({
      seq: row.seq,
      key: row.key,
      bodySha256: branded<Sha256>(row.body_sha256),
      receivedAt: branded<Instant>(row.received_at),
      requestId: branded<RequestId>(row.request_id),
      problem: row.problem,
      at: branded<Instant>(row.at),
    }));

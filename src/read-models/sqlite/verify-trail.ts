import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { auditMark, type AuditMark } from '../../../projections/audit-trail/index.ts';
import type { StoreUnavailable } from '../../event-store/event-store.ts';
import type { PartedLog } from '../../event-store/parted-log.ts';
import { branded } from '../../domain/brand.ts';
import { epochMsOf } from '../../domain/instant.ts';
import type { Position } from '../../domain/ids.ts';
import { positionNumber } from '../../domain/position.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { marksIn, type Mark } from '../audit-chunk.ts';
import { auditStatements } from '../statements/audit-statements.ts';
import { generationStatements } from '../statements/generation-statements.ts';
import { readModelFailure, type ReadModelFailure } from '../verification.ts';
import { TermIndex } from './term-index.ts';

/** Differences that are named one by one; more of them say no more. */
const MOST_NAMED = 100;

const isMark = ({ position, received, type }: Mark, mark: AuditMark): boolean =>
  position === positionNumber(mark.position) &&
  type === mark.type &&
  (mark.receivedAt === null ? Number.isNaN(received) : received === epochMsOf(mark.receivedAt));

/** A digest over entries in any order: their number, and a sum of what each comes to. */
class EntryDigest {
  entries = 0;
  #low = 0;
  #high = 0;

  add(term: number, ref: number): void {
    this.entries += 1;
    // Products of odd factors spread what would cancel out in plain sums.
    const mixed = Math.imul(term | 0, 0x9e3779b1) ^ Math.imul(Math.floor(term / 0x1_0000_0000) | 0, 0x85ebca6b);
    this.#low = (this.#low + Math.imul(mixed ^ (ref | 0), 0xc2b2ae35)) | 0;
    this.#high = (this.#high + Math.imul(mixed + 0x27d4eb2f, ref | 1)) | 0;
  }

  equals(other: EntryDigest): boolean {
    return this.entries === other.entries && this.#low === other.#low && this.#high === other.#high;
  }
}

function* storedMarks(database: Database.Database): Generator<Mark, void> {
  for (const chunk of new SqliteStatements(database).iterate(auditStatements.allMarks, {})) yield* marksIn(chunk);
}

const storedTerms = (database: Database.Database): EntryDigest => {
  const digest = new EntryDigest();
  new TermIndex(database, 'audit').each((term, _rank, ref) => digest.add(term, ref));
  return digest;
};

const trailDiffers = (detail: string): ReadModelFailure => readModelFailure('read-model-trail-differs', detail);

/** Compares the index of the audit trail with the log, event by event, up to the checkpoint of one state of the database. */
export const verifyTrail = async (
  database: Database.Database,
  store: Pick<PartedLog, 'readHeaders'>,
): Promise<E.Either<StoreUnavailable, readonly ReadModelFailure[]>> => {
  database.exec('BEGIN');
  const stored = storedMarks(database);
  try {
    const upTo = new SqliteStatements(database).get(generationStatements.checkpoint, {})?.position;
    if (upTo === undefined) return E.right([]);
    const failures: ReadModelFailure[] = [];
    const terms = new EntryDigest();
    for await (const page of store.readHeaders(null, branded<Position>(upTo))) {
      if (E.isLeft(page)) return page;
      for (const header of page.right) {
        const mark = auditMark(header);
        for (const term of mark.terms) terms.add(term, positionNumber(mark.position));
        const next = stored.next();
        if (next.done !== true && isMark(next.value, mark)) continue;
        failures.push(trailDiffers(`the trail differs from the log at position ${mark.position}`));
        // From the first difference on nothing lines up.
        if (
          failures.length >= MOST_NAMED ||
          next.done === true ||
          next.value.position !== positionNumber(mark.position)
        ) {
          return E.right(failures);
        }
      }
    }
    const more = stored.next();
    if (more.done !== true) failures.push(trailDiffers(`position ${more.value.position} is not in the log`));
    if (!terms.equals(storedTerms(database)))
      failures.push(trailDiffers('what events are searched by differs from the log'));
    return E.right(failures);
  } finally {
    // A query that is left in the middle would keep the database from being closed.
    stored.return(undefined);
    database.exec('COMMIT');
  }
};

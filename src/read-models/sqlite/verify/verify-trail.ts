import type Database from 'better-sqlite3';
import type { Position } from '../../../domain/ids.ts';
import { positionNumber } from '../../../domain/position.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { marksIn, type AuditChunk, type Mark } from '../../audit-chunk.ts';
import { mergedMarks, type LoadedMarks } from '../../loaded-marks.ts';
import { auditStatements } from '../../statements/audit-statements.ts';
import { generationStatements } from '../../statements/generation-statements.ts';
import { StoredMarks } from '../../stored-marks.ts';
import { TermDigest, type TermDigestData } from '../../term-digest.ts';
import type { FoldedTrail } from '../../trail-fold.ts';
import { readModelFailure, type ReadModelFailure } from '../../verification.ts';
import { chunkOf } from '../audit-table.ts';
import { TermIndex } from '../terms/term-index.ts';

/** Differences that are named one by one; more of them say no more. */
const MOST_NAMED = 100;

/** A receipt that is not known is NaN. */
const isMark = (stored: Mark, { position, received, type }: Mark): boolean =>
  stored.position === position && stored.type === type && Object.is(stored.received, received);

type StoredTrailTerms = { readonly terms: TermDigestData; readonly failures: readonly ReadModelFailure[] };

/** What the index of the trail finds events up to a position by. */
export const storedTrailTerms = (database: Database.Database, upTo: Position | null): StoredTrailTerms => {
  const [digest, last] = [new TermDigest(), upTo === null ? -1 : positionNumber(upTo)];
  const read = (): boolean =>
    new TermIndex(database, 'audit').inspect((term, _rank, ref) => {
      if (ref <= last) digest.add(term, ref);
    });
  // Of one moment: meanwhile runs of the index may be merged.
  const isWhole = database.transaction(read).deferred();
  const failures = isWhole ? [] : [trailDiffers('the index that finds events is damaged')];
  return { terms: digest.data, failures };
};

const trailDiffers = (detail: string): ReadModelFailure => readModelFailure('read-model-trail-differs', detail);

/** Holds the index of the audit trail to the log, event by event, up to a position; the log is handed over piece by piece. */
export class TrailVerification {
  /** How far the log is looked at: the trail may go on meanwhile. */
  readonly upTo: Position | null;
  readonly #sql: SqliteStatements;
  readonly #marks: LoadedMarks[] = [];
  /** As the trail was at the beginning. */
  readonly #held: StoredMarks;
  /** Whether it has what is not included. */
  readonly #goesBeyond: boolean;
  readonly #terms = new TermDigest();
  readonly #stored = new TermDigest();

  /** @param upTo a position that both the log and the generation have reached */
  constructor(database: Database.Database, upTo: Position | null) {
    this.#sql = new SqliteStatements(database);
    this.upTo = upTo;
    this.#held = new StoredMarks(this.#chunks(), this.#last);
    this.#goesBeyond = database.transaction(() => this.#isBeyond()).deferred();
  }

  /** Adds what some events of the log come to. */
  add({ marks, terms }: FoldedTrail): void {
    this.#marks.push(marks);
    this.#held.hold(marks);
    this.#terms.addAll(terms);
  }

  /** Adds what the index finds events by. */
  addStored(terms: TermDigestData): void {
    this.#stored.addAll(terms);
  }

  /** The differences, once the whole log and the index were added. */
  failures(): readonly ReadModelFailure[] {
    return [...this.#ofChunks(), ...(this.#held.areAllHeld ? this.#ofTerms() : this.#named())];
  }

  /** What a search by type and receipt skips chunks by. */
  #ofChunks(): readonly ReadModelFailure[] {
    const failures = this.#held.unbounded.map((first) =>
      trailDiffers(`the chunk of the trail at position ${String(first)} is not what its row says`),
    );
    if (this.#goesBeyond) failures.push(trailDiffers('the trail goes beyond what is included'));
    return failures.slice(0, MOST_NAMED);
  }

  #ofTerms(): readonly ReadModelFailure[] {
    return this.#terms.equals(this.#stored.data)
      ? []
      : [trailDiffers('what events are searched by differs from the log')];
  }

  /** Differences in the order of positions. */
  #named(): readonly ReadModelFailure[] {
    const stored = this.#storedMarks();
    const failures: ReadModelFailure[] = [];
    try {
      for (const mark of mergedMarks(this.#marks)) {
        const next = stored.next();
        if (next.done !== true && isMark(next.value, mark)) continue;
        failures.push(trailDiffers(`the trail differs from the log at position ${String(mark.position)}`));
        // From the first difference on nothing lines up.
        if (failures.length >= MOST_NAMED || next.done === true || next.value.position !== mark.position)
          return failures;
      }
      const more = stored.next();
      if (more.done !== true) failures.push(trailDiffers(`position ${String(more.value.position)} is not in the log`));
      return [...failures, ...this.#ofTerms()];
    } finally {
      // A query that is left in the middle would keep the database from being closed.
      stored.return(undefined);
    }
  }

  /** Those up to the position. Behind it no more than a chunk is looked at for any that is out of order. */
  *#storedMarks(): Generator<Mark, void> {
    for (const chunk of this.#chunks()) for (const mark of marksIn(chunk)) if (mark.position <= this.#last) yield mark;
  }

  *#chunks(): Generator<AuditChunk, void> {
    for (const row of this.#sql.iterate(auditStatements.upTo, { last: this.#last })) yield chunkOf(row);
  }

  #isBeyond(): boolean {
    const end = this.#sql.get(auditStatements.last, {})?.last_position ?? -1;
    return end > Number(this.#sql.get(generationStatements.included, {})?.position ?? -1);
  }

  get #last(): number {
    return this.upTo === null ? -1 : positionNumber(this.upTo);
  }
}

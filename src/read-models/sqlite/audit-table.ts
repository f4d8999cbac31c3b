import type Database from 'better-sqlite3';
import type { AuditMark } from '../../../projections/audit-trail/index.ts';
import { chunksOf, mayHold, positionsIn, receiptBounds, type AuditChunk } from '../audit-chunk.ts';
import type { AuditFilter } from '../read-models.ts';
import type { Position } from '../../domain/ids.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { auditStatements } from '../statements/audit-statements.ts';
import { positionAt } from '../../domain/position.ts';

type Row = {
  readonly first_position: number;
  readonly last_position: number;
  readonly received_from: number;
  readonly received_to: number;
  readonly types: string;
  readonly marks: Uint8Array;
};

const chunkOf = (row: Row): AuditChunk => ({
  firstPosition: row.first_position,
  lastPosition: row.last_position,
  receivedFrom: row.received_from,
  receivedTo: row.received_to,
  types: row.types,
  marks: row.marks,
});

/** A pattern that every list of types fits which holds this one, and others may; null: any type. */
const patternOf = (type: string | null): string =>
  type === null ? '%' : `%${type.replaceAll(/[^A-Za-z0-9]+/g, '%')}%`;

/** The log's events as far as the trail is searched by type and receipt. */
export class AuditTable {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** Adds events behind those that are there. */
  add(marks: readonly AuditMark[]): void {
    const row = this.#sql.get(auditStatements.last, {});
    const last = row === undefined ? null : chunkOf(row);
    this.addChunks(chunksOf(marks, last));
  }

  addChunks(chunks: Iterable<AuditChunk>): void {
    for (const { firstPosition, lastPosition, receivedFrom, receivedTo, types, marks } of chunks) {
      this.#sql.run(auditStatements.put, {
        first_position: firstPosition,
        last_position: lastPosition,
        received_from: receivedFrom,
        received_to: receivedTo,
        types,
        marks,
      });
    }
  }

  /** Positions of the events of a filter, in order, behind another; at most so many. */
  find(filter: AuditFilter, after: number, most: number): readonly Position[] {
    const { from, to } = receiptBounds(filter);
    const found: Position[] = [];
    const chunks = this.#sql.iterate(auditStatements.receivedWithin, {
      first_position: this.#sql.get(auditStatements.beginOf, { position: after })?.first_position ?? 0,
      from: from ?? 0,
      to: to ?? Number.MAX_SAFE_INTEGER,
      types: patternOf(filter.type),
    });
    for (const { first_position, types } of chunks) {
      // The marks are nine tenths of a row, and left unread where they hold nothing.
      const chunk = mayHold({ types }, filter.type) ? this.#sql.get(auditStatements.at, { first_position }) : undefined;
      if (chunk !== undefined) found.push(...positionsIn(chunk, filter, after));
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  /** Those of some positions, in order and each once, whose events a filter is for. */
  *among(positions: Iterable<number>, filter: AuditFilter): Generator<Position, void> {
    const isFiltered = filter.type !== null || filter.from !== null || filter.to !== null;
    let fitting: ReadonlySet<Position> = new Set();
    let [last, chunkEnd] = [-1, -1];
    for (const number of positions) {
      if (number === last) continue;
      last = number;
      const position = positionAt(number);
      if (isFiltered && number > chunkEnd) {
        const chunk = this.#sql.get(auditStatements.with, { position: number });
        chunkEnd = chunk?.last_position ?? number;
        fitting = new Set(chunk === undefined ? [] : positionsIn(chunk, filter, -1));
      }
      if (!isFiltered || fitting.has(position)) yield position;
    }
  }
}

import { addAll } from '../../domain/add-all.ts';
import type Database from 'better-sqlite3';
import type { AuditMark } from '../../../projections/audit-trail/index.ts';
import { chunksOf, positionsIn, receiptBounds, type AuditChunk } from '../audit-chunk.ts';
import type { AuditFilter } from '../read-models.ts';
import type { Position } from '../../domain/ids.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { auditStatements } from '../statements/audit-statements.ts';
import { positionAt } from '../../domain/position.ts';
import { ChunkHeads } from './chunk-heads.ts';

type Row = {
  readonly first_position: number;
  readonly last_position: number;
  readonly received_from: number;
  readonly received_to: number;
  readonly types: string;
  readonly marks: Uint8Array;
};

/** A chunk as its row has it. */
export const chunkOf = (row: Row): AuditChunk => ({
  firstPosition: row.first_position,
  lastPosition: row.last_position,
  receivedFrom: row.received_from,
  receivedTo: row.received_to,
  types: row.types,
  marks: row.marks,
});

/** The log's events as far as the trail is searched by type and receipt. */
export class AuditTable {
  readonly #sql: SqliteStatements;
  readonly #heads: ChunkHeads;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
    this.#heads = new ChunkHeads(database);
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
    for (const first_position of this.#heads.lookedFor({ type: filter.type, from, to, after })) {
      const chunk = this.#sql.get(auditStatements.at, { first_position });
      if (chunk !== undefined) addAll(found, positionsIn(chunk, filter, after));
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

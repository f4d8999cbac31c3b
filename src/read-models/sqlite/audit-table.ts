import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { AuditMark } from '../../../projections/audit-trail/index.ts';
import { chunksOf, mayHold, positionsIn, receiptBounds, type AuditChunk } from '../audit-chunk.ts';
import type { AuditFilter } from '../read-models.ts';
import type { Position } from '../../domain/ids.ts';
import { positionAt } from '../../domain/position.ts';
import { sqlite } from './tables.ts';

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

/** The log's events as far as the trail is searched by type and receipt. */
export class AuditTable {
  readonly #last: Database.Statement<[], Row>;
  readonly #put: Database.Statement<[number, number, number, number, string, Uint8Array]>;
  readonly #holding: Database.Statement<[number], number>;
  readonly #chunkWith: Database.Statement<[number], Row>;
  readonly #behind: Database.Statement<[number, number, number], Pick<Row, 'first_position' | 'types'>>;
  readonly #chunkAt: Database.Statement<[number], Row>;

  constructor(database: Database.Database) {
    const row = {
      first_position: 0,
      last_position: 0,
      received_from: 0,
      received_to: 0,
      types: '',
      marks: new Uint8Array(),
    };
    const chunks = sqlite.selectFrom('audit_chunks').selectAll();
    this.#last = database.prepare(chunks.orderBy('first_position', 'desc').limit(sql.lit(1)).compile().sql);
    this.#put = database.prepare(sqlite.replaceInto('audit_chunks').values(row).compile().sql);
    this.#holding = database
      .prepare<[number], number>(
        sqlite
          .selectFrom('audit_chunks')
          .select('first_position')
          .where('first_position', '<=', 0)
          .orderBy('first_position', 'desc')
          .limit(sql.lit(1))
          .compile().sql,
      )
      .pluck();
    this.#chunkWith = database.prepare(
      chunks.where('first_position', '<=', 0).orderBy('first_position', 'desc').limit(sql.lit(1)).compile().sql,
    );
    this.#chunkAt = database.prepare(chunks.where('first_position', '=', 0).compile().sql);
    this.#behind = database.prepare(
      sqlite
        .selectFrom('audit_chunks')
        .select(['first_position', 'types'])
        .where('first_position', '>=', 0)
        .where('received_to', '>=', 0)
        .where('received_from', '<=', 0)
        .orderBy('first_position')
        .compile().sql,
    );
  }

  /** Adds events behind those that are there. */
  add(marks: readonly AuditMark[]): void {
    const row = this.#last.get();
    const last = row === undefined ? null : chunkOf(row);
    this.addChunks(chunksOf(marks, last));
  }

  addChunks(chunks: readonly AuditChunk[]): void {
    for (const { firstPosition, lastPosition, receivedFrom, receivedTo, types, marks } of chunks) {
      this.#put.run(firstPosition, lastPosition, receivedFrom, receivedTo, types, marks);
    }
  }

  /** Positions of the events of a filter, in order, behind another; at most so many. */
  find(filter: AuditFilter, after: number, most: number): readonly Position[] {
    const { from, to } = receiptBounds(filter);
    const found: Position[] = [];
    const chunks = this.#behind.iterate(this.#holding.get(after) ?? 0, from ?? 0, to ?? Number.MAX_SAFE_INTEGER);
    for (const row of chunks) {
      // The marks are nine tenths of a row, and left unread where they hold nothing.
      const chunk = mayHold(row, filter.type) ? this.#chunkAt.get(row.first_position) : undefined;
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
        const chunk = this.#chunkWith.get(number);
        chunkEnd = chunk?.last_position ?? number;
        fitting = new Set(chunk === undefined ? [] : positionsIn(chunk, filter, -1));
      }
      if (!isFiltered || fitting.has(position)) yield position;
    }
  }
}

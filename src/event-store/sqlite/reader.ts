import type Database from 'better-sqlite3';
import { either as E, type taskEither as TE } from 'fp-ts';
import { branded } from '../../domain/brand.ts';
import type { EventId, Position, Revision, StreamName } from '../../domain/ids.ts';
import { instantOf } from '../../domain/instant.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable, UnknownPosition } from '../event-store.ts';

type Row = {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly recorded_at: number;
  readonly data: Buffer;
  readonly metadata: Buffer;
  readonly raw_body: Buffer | null;
};

const COLUMNS =
  'stream_name AS stream, revision, position, id, type, recorded_at, CAST(data AS BLOB) AS data, CAST(metadata AS BLOB) AS metadata, raw_body';

const recorded = (row: Row): RecordedEvent => ({
  stream: branded<StreamName>(row.stream),
  revision: branded<Revision>(row.revision),
  position: branded<Position>(String(row.position)),
  id: branded<EventId>(row.id),
  type: row.type,
  recordedAt: instantOf(row.recorded_at),
  data: row.data,
  metadata: row.metadata,
  rawBody: row.raw_body,
});

const unavailable = (error: unknown): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  detail: error instanceof Error ? error.message : String(error),
});

/** Reads the log through a connection of its own, which sees what is committed and nothing else. */
export class Reader {
  readonly #database: Database.Database;
  readonly #stream: Database.Statement<[string], Row>;
  readonly #page: Database.Statement<[number, number, number], Row>;
  readonly #head: Database.Statement<[], number>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#stream = database.prepare(
      `SELECT ${COLUMNS} FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?) ORDER BY revision`,
    );
    this.#page = database.prepare(
      `SELECT ${COLUMNS} FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`,
    );
    this.#head = database.prepare<[], number>('SELECT coalesce(max(position), 0) FROM events').pluck();
  }

  readonly readStream =
    (stream: StreamName): TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]> =>
    () =>
      Promise.resolve(E.tryCatch(() => this.#stream.all(stream).map(recorded), unavailable));

  /** Events behind a position, up to a head, at most so many. */
  page(after: number, head: number, most: number): E.Either<StoreUnavailable, readonly RecordedEvent[]> {
    return E.tryCatch(() => this.#page.all(after, head, most).map(recorded), unavailable);
  }

  /** The last position; 0 for an empty log. */
  head(): E.Either<StoreUnavailable, number> {
    return E.tryCatch(() => this.#head.get() ?? 0, unavailable);
  }

  readonly parsePosition = (text: string): E.Either<UnknownPosition, Position> => {
    const head = this.head();
    const known = /^[1-9]\d{0,15}$/.test(text) && (E.isLeft(head) || Number(text) <= head.right);
    return known ? E.right(branded<Position>(text)) : E.left({ _tag: 'UnknownPosition' });
  };

  close(): void {
    this.#database.close();
  }
}

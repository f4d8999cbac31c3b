import { addAll } from '../../domain/add-all.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../domain/brand.ts';
import type { Position, StreamName } from '../../domain/ids.ts';
import { positionAt, positionNumber, PositionText } from '../../domain/position.ts';
import type { EventHeader, RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable, UnknownPosition } from '../event-store.ts';
import type { StreamEvents, StreamPart } from '../parted-log.ts';
import { isDamage } from '../sqlite-code.ts';
import { wholeStream } from '../whole-stream.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { byStream, header, named, recorded } from './event-rows.ts';
import { eventStatements, type EventRow, type HeaderRow } from './event-statements.ts';
import { BYTES_A_TURN, EVENTS_A_TURN, inTurns, rowsUpTo } from './reading-turns.ts';
import { StreamLookup } from './stream-lookup.ts';

/** Streams that are read at a time where all are: some hundred events, which are garbage before they would be copied as lasting. */
const STREAMS_OF_A_PART = 64;

/** What a byte that is no UTF-8 reads as, and so may a byte that was changed in one of these. */
const REPLACEMENT = '\uFFFD';

/** What a page of the log comes to at the most: each who follows it holds one, and bodies may be of half a megabyte. Usual ones are of a tenth of it. */
const PAGE_BYTES = 16 * 1_048_576;

const TEXTS = ['stream', 'type', 'metadata', 'data'] as const;

/** Bytes as a text that no other bytes give: nothing that the ledger writes begins as those do that are no UTF-8. */
const faithful = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : REPLACEMENT + bytes.toString('latin1');
};

const unavailable = (error: unknown): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  detail: error instanceof Error ? error.message : String(error),
  ...(isDamage(error) ? { reason: 'Damaged' } : {}),
});

/** Reads the log through a connection of its own, which sees what is committed and nothing else. */
export class Reader {
  readonly #database: Database.Database;
  readonly #sql: SqliteStatements;
  readonly #pageBytes: number;
  readonly #onDamage: () => void;
  #lookup: StreamLookup | null = null;

  /**
   * @param pageBytes what the events of a page come to, the last one apart
   * @param onDamage told each time that pages of the file turn out to be not what was written
   */
  constructor(database: Database.Database, pageBytes = PAGE_BYTES, onDamage: () => void = () => undefined) {
    this.#database = database;
    this.#sql = new SqliteStatements(database);
    this.#pageBytes = pageBytes;
    this.#onDamage = onDamage;
  }

  readonly #unavailable = (error: unknown): StoreUnavailable => {
    if (isDamage(error)) this.#onDamage();
    return unavailable(error);
  };

  readonly #recorded = (row: EventRow): RecordedEvent =>
    TEXTS.some((name) => row[name].includes(REPLACEMENT))
      ? recorded({ ...row, ...this.#texts(row.position) })
      : recorded(row);

  readonly #header = (row: HeaderRow): EventHeader =>
    row.metadata.includes(REPLACEMENT) || row.stream.includes(REPLACEMENT) || row.type.includes(REPLACEMENT)
      ? header({ ...row, ...this.#texts(row.position) })
      : header(row);

  #texts(position: number): Partial<Readonly<Record<(typeof TEXTS)[number], string>>> {
    const bytes = this.#sql.get(eventStatements.bytesAt, { position });
    if (bytes === undefined) return {};
    const { stream, type, metadata, data } = bytes;
    return { stream: faithful(stream), type: faithful(type), metadata: faithful(metadata), data: faithful(data) };
  }

  /** Made when a stream is first asked for by its name: who looks at a file of an older schema asks for none. */
  get #streams(): StreamLookup {
    this.#lookup ??= new StreamLookup(this.#database);
    return this.#lookup;
  }

  /** Reads what finding streams by name needs, so that the first delivery that asks is not kept waiting by it. */
  prepareLookup(): E.Either<StoreUnavailable, void> {
    return E.tryCatch(() => this.#streams.catchUp(), this.#unavailable);
  }

  readonly readStream =
    (stream: StreamName): TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]> =>
    () =>
      wholeStream(this.streamPages(stream));

  async *streamPages(
    stream: StreamName,
  ): AsyncGenerator<E.Either<StoreUnavailable, readonly RecordedEvent[]>, void, undefined> {
    try {
      const id = this.#streams.find(stream);
      if (id === undefined) return;
      for (let from = 0; ;) {
        const ofStream = this.#sql.iterate(eventStatements.ofStream, { stream: id, from, most: EVENTS_A_TURN });
        const { rows, isWhole } = rowsUpTo(ofStream, BYTES_A_TURN);
        yield E.right(rows.map(this.#recorded));
        const last = rows.at(-1);
        if (last === undefined || (isWhole && rows.length < EVENTS_A_TURN)) return;
        // Not by how many there are: one in the middle may be gone.
        from = last.revision + 1;
        await turn();
      }
    } catch (error) {
      yield E.left(this.#unavailable(error));
    }
  }

  readonly listStreams =
    (prefix: string): TE.TaskEither<StoreUnavailable, readonly StreamName[]> =>
    () =>
      Promise.resolve(
        E.tryCatch(() => this.#streams.list(prefix).map((name) => branded<StreamName>(name)), this.#unavailable),
      );

  /** Events behind a position, up to a head, at most so many, and no more than are in memory well: one where there is any. */
  readonly page = (after: number, head: number, most: number): E.Either<StoreUnavailable, readonly RecordedEvent[]> =>
    E.tryCatch(() => {
      const page = this.#sql.iterate(eventStatements.page, { after, head, most });
      return rowsUpTo(page, this.#pageBytes).rows.map(this.#recorded);
    }, this.#unavailable);

  /** As `page`, without data. */
  readonly headers = (after: number, head: number, most: number): E.Either<StoreUnavailable, readonly EventHeader[]> =>
    E.tryCatch(
      () => this.#sql.all(eventStatements.headers, { after, head, most }).map(this.#header),
      this.#unavailable,
    );

  /** The last events, newest first, without data; at most so many. */
  newest(most: number): E.Either<StoreUnavailable, readonly EventHeader[]> {
    return E.tryCatch(() => this.#sql.all(eventStatements.newest, { most }).map(this.#header), this.#unavailable);
  }

  readonly lastOfStream =
    (stream: StreamName): TE.TaskEither<StoreUnavailable, RecordedEvent | null> =>
    () => {
      const last = (): RecordedEvent | null => {
        const id = this.#streams.find(stream);
        const row = id === undefined ? undefined : this.#sql.get(eventStatements.lastOfStream, { stream: id });
        return row === undefined ? null : this.#recorded(row);
      };
      return Promise.resolve(E.tryCatch(last, this.#unavailable));
    };

  readonly readAt =
    (positions: readonly Position[]): TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]> =>
    () =>
      inTurns(
        positions,
        (position) => this.#sql.all(eventStatements.at, { position: positionNumber(position) }).map(this.#recorded),
        ({ data, rawBody }) => data.length + (rawBody?.length ?? 0),
        this.#unavailable,
      );

  readonly headersAt =
    (positions: readonly Position[]): TE.TaskEither<StoreUnavailable, readonly EventHeader[]> =>
    () =>
      inTurns(
        positions,
        (position) => this.#sql.all(eventStatements.headerAt, { position: positionNumber(position) }).map(this.#header),
        () => 0,
        this.#unavailable,
      );

  readonly readPart =
    (part: number, upTo: Position): TE.TaskEither<StoreUnavailable, readonly StreamEvents[]> =>
    () =>
      Promise.resolve(
        E.tryCatch(
          () => [...this.#partOf(part, upTo).values()].flatMap((events) => named(events, events[0]?.stream)),
          this.#unavailable,
        ),
      );

  readonly readPartAndStrays =
    (part: number, upTo: Position): TE.TaskEither<StoreUnavailable, StreamPart> =>
    () => {
      const read = (): StreamPart => {
        const streams: StreamEvents[] = [];
        const strays: RecordedEvent[] = [];
        const runs = [...this.#partOf(part, upTo)];
        const firsts = this.#streams.findAll(runs.flatMap(([, [first]]) => first?.stream ?? []));
        for (const [place, [id, events]] of runs.entries()) {
          const [first] = events;
          const isOne = events.every((event) => event.stream === first?.stream);
          if (isOne && firsts[place] === id) {
            addAll(streams, named(events, first?.stream));
            continue;
          }
          const names = new Set(events.map((event) => event.stream));
          const stream = [...names].find((name) => this.#streams.find(name) === id);
          addAll(streams, named(events, stream));
          addAll(
            strays,
            events.filter((event) => event.stream !== stream),
          );
        }
        return { streams, strays };
      };
      return Promise.resolve(E.tryCatch(read, this.#unavailable));
    };

  /** Stream ids are handed out in growing order, so a range of them is a part. */
  #partOf(part: number, upTo: Position): ReadonlyMap<number, readonly RecordedEvent[]> {
    const first = part * STREAMS_OF_A_PART;
    const range = { first, beyond: first + STREAMS_OF_A_PART, up_to: positionNumber(upTo) };
    // Row by row: all at once, each collection of garbage looks at every value of every row before, and nothing ends the thread meanwhile.
    return byStream(this.#sql.iterate(eventStatements.ofStreams, range), this.#recorded);
  }

  readonly streamParts: TE.TaskEither<StoreUnavailable, number> = () =>
    Promise.resolve(
      E.tryCatch(
        () => Math.floor(this.#sql.one(eventStatements.lastStream, {}).stream / STREAMS_OF_A_PART) + 1,
        this.#unavailable,
      ),
    );

  /** The last position; 0 for an empty log. */
  head(): E.Either<StoreUnavailable, number> {
    return E.tryCatch(() => this.#sql.one(eventStatements.head, {}).position, this.#unavailable);
  }

  readonly lastPosition: TE.TaskEither<StoreUnavailable, Position | null> = () =>
    Promise.resolve(E.map((head: number) => (head === 0 ? null : positionAt(head)))(this.head()));

  readonly parsePosition =
    (text: string): TE.TaskEither<UnknownPosition | StoreUnavailable, Position> =>
    () => {
      const head = this.head();
      if (E.isLeft(head)) return Promise.resolve(head);
      const isKnown = PositionText.is(text) && positionNumber(text) > 0 && positionNumber(text) <= head.right;
      return Promise.resolve(isKnown ? E.right(text) : E.left({ _tag: 'UnknownPosition' }));
    };

  close(): void {
    this.#database.close();
  }
}

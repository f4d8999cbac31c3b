import type Database from 'better-sqlite3';
import { isQuarantineStream } from '../../../domain/ids.ts';
import { positionNumber } from '../../../domain/position.ts';
import type { RecordedEvent } from '../../../domain/recorded-event.ts';
import type { StreamEvents } from '../../../event-store/parted-log.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { quarantineChange, type QuarantineChange } from '../../quarantine-change.ts';
import type { Checkpoint } from '../../read-models.ts';
import { isAt } from '../../is-at.ts';
import { closingText } from '../../stored-closing.ts';
import { quarantineStatements, type QuarantineRow } from '../../statements/quarantine-statements.ts';
import { failureOfEvents, type ReadModelFailure } from '../../verification.ts';
import { keptText } from '../quarantine-table.ts';
import type { FoundRows } from './verify-strays.ts';

type Of<Tag extends QuarantineChange['_tag']> = Extract<QuarantineChange, { readonly _tag: Tag }>;

/** A database holds UTF-8: half of a surrogate pair, which a body may name, is another character there. */
const storedText = (text: string | null): string | null => text?.toWellFormed() ?? null;

const rowOf = ({ quarantined, searchedBy }: Of<'Quarantined'>): QuarantineRow => ({
  position: positionNumber(quarantined.position),
  event_id: quarantined.eventId,
  stream: quarantined.stream,
  order_id: storedText(searchedBy.orderId),
  utr: storedText(searchedBy.utr),
  quarantined: keptText(quarantined),
  released_as: null,
});

/** The row that events of one stream come to, as the table takes them in; null for none. */
const expectedOf = (events: readonly RecordedEvent[]): QuarantineRow | null => {
  let row: QuarantineRow | null = null;
  for (const event of events) {
    const change = quarantineChange(event);
    if (change?._tag === 'Quarantined') row ??= rowOf(change);
    if (change?._tag === 'Released' && row !== null)
      row = { ...row, released_as: change.as, order_id: row.order_id ?? storedText(change.orderId) };
  }
  return row;
};

const COLUMNS = ['position', 'event_id', 'stream', 'order_id', 'utr', 'quarantined', 'released_as'] as const;

/** Compares what is kept of deliveries in quarantine with what their events say, stream by stream. */
export class QuarantineVerification {
  readonly #checkpoint: Checkpoint | null;
  readonly #sql: SqliteStatements;
  readonly #positions: number[] = [];
  #closings = 0;

  /** @param checkpoint one that the generation has reached: what it includes must be there */
  constructor(database: Database.Database, checkpoint: Checkpoint | null) {
    this.#checkpoint = checkpoint;
    this.#sql = new SqliteStatements(database);
  }

  /** Rows that there were of the streams so far. */
  get found(): Pick<FoundRows, 'quarantine' | 'closings'> {
    return { quarantine: this.#positions, closings: this.#closings };
  }

  /** The differences of a stream of the quarantine, or of what people did about what is in one. */
  of({ stream, events }: StreamEvents): readonly ReadModelFailure[] {
    const included = events.filter(({ position }) => isAt(this.#checkpoint, position));
    if (included.length === 0) return [];
    return isQuarantineStream(stream) ? this.#ofDelivery(stream, included) : this.#ofClosure(included);
  }

  #ofDelivery(stream: string, events: readonly RecordedEvent[]): readonly ReadModelFailure[] {
    const expected = expectedOf(events);
    const row = this.#sql.get(quarantineStatements.ofStream, { stream }) ?? null;
    if (row !== null) this.#positions.push(row.position);
    const isRight =
      expected === null || row === null
        ? expected === row
        : COLUMNS.every((column) => row[column] === expected[column]);
    return isRight ? [] : [failureOfEvents('read-model-quarantine-differs', null, events, 'its row differs')];
  }

  /** What people did about a quarantined delivery last is what is kept of it. */
  #ofClosure(events: readonly RecordedEvent[]): readonly ReadModelFailure[] {
    const change = events.flatMap((event) => quarantineChange(event) ?? []).at(-1);
    if (change === undefined || change._tag === 'Quarantined' || change._tag === 'Released') return [];
    const closing = this.#sql.get(quarantineStatements.closing, { stream: change.stream })?.closing ?? null;
    if (closing !== null) this.#closings += 1;
    return closing === (change._tag === 'Closed' ? closingText(change.closing) : null)
      ? []
      : [failureOfEvents('read-model-quarantine-differs', null, events, 'its closing differs')];
  }
}

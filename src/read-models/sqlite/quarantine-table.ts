import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { isEventId, type EventId, type Position } from '../../domain/ids.ts';
import { positionAt, positionNumber } from '../../domain/position.ts';
import type { QuarantineChange } from '../quarantine-change.ts';
import type { Quarantined } from '../read-models.ts';
import { readQuarantined } from '../stored-quarantined.ts';
import { sqlite } from './tables.ts';

type Row = { readonly quarantined: string; readonly released_as: string | null };

const quarantinedOf = ({ quarantined, released_as }: Row): Quarantined | null => {
  const read = readQuarantined(quarantined);
  const releasedAs = released_as !== null && isEventId(released_as) ? released_as : null;
  return read === null ? null : { ...read, releasedAs };
};

/** What could not be read, in the order of positions. */
export class QuarantineTable {
  readonly #insert: Database.Statement<[number, string, string, string | null, string | null, string, null]>;
  readonly #release: Database.Statement<[string, string, string]>;
  readonly #page: Database.Statement<[number, number], Row>;
  readonly #waiting: Database.Statement<[number, number], Row>;
  readonly #byEvent: Database.Statement<[string], Row>;
  readonly #ofOrder: Database.Statement<[string], number>;
  readonly #withUtr: Database.Statement<[string], number>;
  readonly #open: Database.Statement<[], number>;

  constructor(database: Database.Database) {
    const row = {
      position: 0,
      event_id: '',
      stream: '',
      order_id: null,
      utr: null,
      quarantined: '',
      released_as: null,
    };
    const rows = sqlite.selectFrom('quarantine').select(['quarantined', 'released_as']);
    this.#insert = database.prepare(
      sqlite
        .insertInto('quarantine')
        .values(row)
        .onConflict((it) => it.doNothing())
        .compile().sql,
    );
    this.#release = database.prepare(
      sqlite
        .updateTable('quarantine')
        .set((it) => ({ released_as: '', order_id: it.fn.coalesce('order_id', it.val('')) }))
        .where('stream', '=', '')
        .compile().sql,
    );
    const behind = rows.where('position', '>', 0).orderBy('position').limit(0);
    this.#page = database.prepare(behind.compile().sql);
    this.#waiting = database.prepare(behind.where('released_as', 'is', null).compile().sql);
    this.#byEvent = database.prepare(rows.where('event_id', '=', '').compile().sql);
    const positions = sqlite.selectFrom('quarantine').select('position').orderBy('position');
    this.#ofOrder = database.prepare<[string], number>(positions.where('order_id', '=', '').compile().sql).pluck();
    this.#withUtr = database.prepare<[string], number>(positions.where('utr', '=', '').compile().sql).pluck();
    this.#open = database
      .prepare<[], number>(
        sqlite
          .selectFrom('quarantine')
          .select(sql<number>`count(*)`.as('deliveries'))
          .where('released_as', 'is', null)
          .compile().sql,
      )
      .pluck();
  }

  apply(change: QuarantineChange): void {
    if (change._tag === 'Released') {
      this.#release.run(change.as, change.orderId, change.stream);
      return;
    }
    const { position, eventId, stream } = change.quarantined;
    const { orderId, utr } = change.searchedBy;
    this.#insert.run(positionNumber(position), eventId, stream, orderId, utr, JSON.stringify(change.quarantined), null);
  }

  /** `waiting`: only what was not released, by an index of its own. */
  page(waiting: boolean, after: Position | null, most: number): readonly Quarantined[] {
    const rows = (waiting ? this.#waiting : this.#page).all(after === null ? -1 : positionNumber(after), most);
    return rows.map(quarantinedOf).filter((quarantined) => quarantined !== null);
  }

  get(eventId: EventId): Quarantined | null {
    const row = this.#byEvent.get(eventId);
    return row === undefined ? null : quarantinedOf(row);
  }

  /** How many were not released. */
  open(): number {
    return this.#open.get() ?? 0;
  }

  /** Positions of those whose body names this order, or this reference. */
  positionsOf(text: string): readonly Position[] {
    const found = new Set([...this.#ofOrder.all(text), ...this.#withUtr.all(text)]);
    return [...found].toSorted((a, b) => a - b).map(positionAt);
  }
}

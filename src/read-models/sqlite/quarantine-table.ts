import type Database from 'better-sqlite3';
import { branded } from '../../domain/brand.ts';
import { isEventId, type EventId, type Position } from '../../domain/ids.ts';
import type { QuarantineState } from '../../domain/quarantine-state.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { QuarantineChange } from '../quarantine-change.ts';
import { PageBytes } from '../page-bytes.ts';
import type { Page, Quarantined } from '../read-models.ts';
import { quarantineStatements } from '../statements/quarantine-statements.ts';
import { closingText, readClosing } from '../stored-closing.ts';
import { readQuarantined } from '../stored-quarantined.ts';
import { positionNumber } from '../../domain/position.ts';

type Row = { readonly quarantined: string; readonly released_as: string | null; readonly closing: string | null };

const quarantinedOf = ({ quarantined, released_as, closing }: Row): Quarantined | null => {
  const read = readQuarantined(quarantined);
  const releasedAs = released_as !== null && isEventId(released_as) ? released_as : null;
  return read === null ? null : { ...read, releasedAs, closed: closing === null ? null : readClosing(closing) };
};

/** The text that is kept of a quarantined delivery, whatever becomes of it. */
export const keptText = ({ releasedAs: _none, closed: _neither, ...kept }: Quarantined): string => JSON.stringify(kept);

/** What could not be read, in the order of positions. */
export class QuarantineTable {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  apply(change: QuarantineChange): void {
    if (change._tag === 'Released') {
      this.#sql.run(quarantineStatements.release, {
        released_as: change.as,
        order_id: change.orderId,
        stream: change.stream,
      });
      return;
    }
    if (change._tag === 'Closed') {
      this.#sql.run(quarantineStatements.close, { stream: change.stream, closing: closingText(change.closing) });
      return;
    }
    if (change._tag === 'Reopened') {
      this.#sql.run(quarantineStatements.reopen, { stream: change.stream });
      return;
    }
    const { position, eventId, stream } = change.quarantined;
    this.#sql.run(quarantineStatements.insert, {
      position: positionNumber(position),
      event_id: eventId,
      stream,
      order_id: change.searchedBy.orderId,
      utr: change.searchedBy.utr,
      quarantined: keptText(change.quarantined),
    });
  }

  /** So many at the most, or as many as a page has room for: one may be there for very many reasons. */
  page(state: QuarantineState | null, after: Position | null, limit: number): Page<Quarantined> {
    const statement = quarantineStatements[state ?? 'all'];
    const bytes = new PageBytes();
    const data: Quarantined[] = [];
    for (const row of this.#sql.iterate(statement, { after: after === null ? -1 : Number(after), most: limit + 1 })) {
      const found = quarantinedOf(row);
      if (found === null) continue;
      if (data.length === limit || !bytes.takes(row.quarantined.length)) return { data, more: true };
      data.push(found);
    }
    return { data, more: false };
  }

  get(eventId: EventId): Quarantined | null {
    const row = this.#sql.get(quarantineStatements.byEvent, { event_id: eventId });
    return row === undefined ? null : quarantinedOf(row);
  }

  /** How many were neither released nor closed. */
  open(): number {
    return this.#sql.one(quarantineStatements.countOpen, {}).deliveries;
  }

  /** Positions of those whose body names this order, or this reference. */
  positionsOf(text: string): readonly Position[] {
    const rows = [
      ...this.#sql.all(quarantineStatements.ofOrder, { order_id: text }),
      ...this.#sql.all(quarantineStatements.withUtr, { utr: text }),
    ];
    const found = new Set(rows.map(({ position }) => position));
    return [...found].toSorted((a, b) => a - b).map((position) => branded<Position>(String(position)));
  }
}

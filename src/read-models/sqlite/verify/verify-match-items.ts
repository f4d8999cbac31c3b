import { Components } from '../../../../projections/match/components.ts';
import {
  matchItem,
  orderAlone,
  sharesOf,
  type MatchItem,
  type OrderAlone,
} from '../../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import { orderNode } from '../../../../projections/match/node.ts';
import { branded } from '../../../domain/brand.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { exactOf, parseExact, plainText, plus, ZERO, type Exact } from '../../../domain/exact.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { classKey } from '../../match-class.ts';
import { listKey } from '../../match-item-list.ts';
import { rowPages } from '../../row-pages.ts';
import { itemStatements } from '../../statements/match-statements.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { readItem } from '../../stored-match.ts';
import { readState, rowStateText } from '../../stored-state.ts';
import type { ItemRows } from '../match/item-rows.ts';
import type { MatchEvidence } from '../match/match-evidence.ts';
import type { TermIndex } from '../terms/term-index.ts';
import { termOf } from '../terms/term.ts';
import { type MatchDifferences, readable } from './match-differences.ts';
import type { Unsettled } from './unsettled.ts';
import type { VerifiedMatch } from './verified-match.ts';

const AT_ONCE = 500;

type Cell = { items: number; fiat: Exact };

/** Compares items, orders that wait alone and their sums with what lines, transfers, orders and decisions come to. */
export class MatchItemVerification {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #rows: ItemRows;
  readonly #itemIds: TermIndex;
  readonly #calendar: Calendar;
  readonly #settings: MatchSettings;
  readonly #cells = new Map<string, Cell>();
  readonly #differences: MatchDifferences;

  constructor({ sql, evidence, rows, itemIds, calendar, settings, differences }: VerifiedMatch) {
    this.#sql = sql;
    this.#evidence = evidence;
    this.#rows = rows;
    this.#itemIds = itemIds;
    this.#calendar = calendar;
    this.#settings = settings;
    this.#differences = differences;
  }

  /** To be called while the evidence is steady. */
  compare(unsettled: Unsettled): void {
    this.#differences.look('items', () => this.#ofItems(unsettled));
    this.#differences.look('orders', () => this.#ofOrders(unsettled));
  }

  /** The sums, once all that they are of was compared. */
  compareSums(): void {
    this.#differences.look('sums', () => this.#ofCells());
  }

  /** Each item is what its first member belongs to now, and its members, its id and its list lead to it and to nothing else. */
  #ofItems(unsettled: Unsettled): void {
    const lists = new Map(this.#sql.all(itemStatements.lists, {}).map((row) => [row.id, row.list]));
    let members = 0;
    const read = (no: number) => this.#sql.all(verifyMatchStatements.items, { no, most: AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) {
      // What was read of other items is not needed again.
      this.#evidence.forget();
      const components = new Components(this.#evidence, this.#settings);
      for (const row of rows) {
        const item = readable(row.body, readItem);
        this.#differences.look(`item ${row.item_id}`, () => {
          const [first] = item?.members ?? [];
          const component = first === undefined ? null : components.of(first);
          const expected = component === null ? null : matchItem(component, this.#settings, this.#calendar);
          const isIt =
            item !== null &&
            (JSON.stringify(expected) === row.body || unsettled.rows.has(row.no)) &&
            row.item_id === item.itemId &&
            row.day === item.day &&
            lists.get(row.list) === listKey(item) &&
            row.evidence === this.#rows.evidenceText(item) &&
            this.#isLed(item, row.no);
          if (!isIt) this.#differences.add(`item ${row.item_id} differs`);
        });
        if (item === null) continue;
        members += item.members.length;
        this.#count(item);
      }
    }
    const sizes = this.#sql.one(verifyMatchStatements.sizes, {});
    if (sizes.members !== members)
      this.#differences.add(`${sizes.members} members of items are noted, expected ${members}`);
  }

  #isLed({ itemId, members }: MatchItem, no: number): boolean {
    return this.#itemIds.refs(termOf(itemId)).includes(no) && members.every((name) => this.#rows.rowWith(name) === no);
  }

  /** Each order for which something is due is in an item or awaited, never both, and no other is awaited. */
  #ofOrders(unsettled: Unsettled): void {
    const classes = new Map(this.#sql.all(itemStatements.classes, {}).map((row) => [row.id, row.class]));
    let awaited = 0;
    const read = (no: number) => this.#sql.all(verifyMatchStatements.orders, { no, most: AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) {
      for (const row of rows) {
        // What can't be read is named by the comparison of orders.
        const state = readable(rowStateText(row), readState);
        if (state === null) continue;
        const alone = orderAlone(matchOrderOf(state, this.#calendar));
        const stored = this.#sql.get(itemStatements.awaitedAt, { no: row.no });
        const name = orderNode(branded<OrderId>(row.order_id));
        const isPlaced = this.#sql.get(itemStatements.itemOf, { no: row.no }) !== undefined;
        if (stored !== undefined) awaited += 1;
        if (unsettled.nodes.has(name)) {
          const as = stored === undefined ? undefined : classes.get(stored.class);
          if (stored !== undefined && as !== undefined) this.#countOf(as, stored.day, parseExact(stored.fiat) ?? ZERO);
          continue;
        }
        if (alone !== null && !isPlaced) this.#count(alone);
        const expected = alone === null || isPlaced ? null : [classKey(alone), alone.day, alone.fiat];
        const found = stored === undefined ? null : [classes.get(stored.class), stored.day, stored.fiat];
        if (JSON.stringify(found) !== JSON.stringify(expected))
          this.#differences.add(`what is awaited for ${name} differs`);
      }
    }
    const sizes = this.#sql.one(verifyMatchStatements.sizes, {});
    if (sizes.awaited !== awaited) this.#differences.add(`${sizes.awaited} orders are awaited, expected ${awaited}`);
  }

  #count(item: MatchItem | OrderAlone): void {
    for (const { currency, fiat } of sharesOf(item)) {
      this.#countOf(classKey(item, currency), item.day, exactOf(fiat));
    }
  }

  #countOf(cls: string, day: string, fiat: Exact): void {
    const key = `${cls} ${day}`;
    const cell = this.#cells.get(key) ?? { items: 0, fiat: ZERO };
    this.#cells.set(key, { items: cell.items + 1, fiat: plus(cell.fiat, fiat) });
  }

  #ofCells(): void {
    const classes = new Map(this.#sql.all(itemStatements.classes, {}).map((row) => [row.id, row.class]));
    const stored = this.#sql
      .all(verifyMatchStatements.allCells, {})
      .map(({ class: id, day, items, fiat }) => `${classes.get(id) ?? ''} ${day}: ${items} items, ${fiat}`);
    const expected = [...this.#cells].map(([key, { items, fiat }]) => `${key}: ${items} items, ${plainText(fiat)}`);
    this.#differences.same('sums', new Set(stored), new Set(expected));
  }
}

import type Database from 'better-sqlite3';
import { Components } from '../../../projections/match/component.ts';
import { joinedLine } from '../../../projections/match/joined-line.ts';
import { matchItem, orderAlone, type MatchItem, type OrderAlone } from '../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import { nodeOf, NodeNameText, orderNode } from '../../../projections/match/node.ts';
import { branded } from '../../domain/brand.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { classKey } from '../match-class.ts';
import { evidenceStatements, itemStatements } from '../statements/match-statements.ts';
import { verifyMatchStatements } from '../statements/verify-match-statements.ts';
import { readItem } from '../stored-match.ts';
import { readLine } from '../stored-bank.ts';
import { readState } from '../stored-state.ts';
import { readModelFailure, type ReadModelFailure } from '../verification.ts';
import { BankTables } from './bank-tables.ts';
import { coverOf } from './bank-match.ts';
import { MatchEvidence } from './match-evidence.ts';

const AT_ONCE = 500;
/** Differences that are named one by one; more of them say no more. */
const MOST_NAMED = 100;

type Cell = { items: number; fiat: Exact };

/** Compares the match of one generation with what its orders, lines, transfers and decisions come to, in one state of the database. */
class MatchVerification {
  readonly failures: ReadModelFailure[] = [];
  readonly #sql: SqliteStatements;
  readonly #bank: BankTables;
  readonly #evidence: MatchEvidence;
  readonly #calendar: Calendar;
  readonly #settings: MatchSettings;
  readonly #cells = new Map<string, Cell>();

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#sql = new SqliteStatements(database);
    this.#bank = new BankTables(database);
    this.#evidence = new MatchEvidence(database, calendar);
    this.#calendar = calendar;
    this.#settings = settings;
  }

  run(): void {
    if (this.#sql.one(verifyMatchStatements.isAny, {}).found === 0) return;
    this.#ofEvidence();
    this.#ofCover();
    this.#evidence.steady(() => this.#ofItems());
    this.#ofOrders();
    this.#ofCells();
  }

  #differs(detail: string): void {
    if (this.failures.length < MOST_NAMED) this.failures.push(readModelFailure('read-model-match-differs', detail));
  }

  /** Each line and transfer of the match is one of the bank's tables, and none of them is missing. */
  #ofEvidence(): void {
    for (let no = 0; ;) {
      const rows = this.#sql.all(verifyMatchStatements.evidence, { no, most: AT_ONCE });
      for (const { name, body } of rows) {
        if (!NodeNameText.is(name) || !this.#isSource(nodeOf(name), body))
          this.#differs(`${name} of the match differs`);
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      no = last.no;
    }
    const missing = [verifyMatchStatements.missingLines, verifyMatchStatements.missingTransfers];
    for (const statement of missing) {
      for (const { name } of this.#sql.all(statement, { most: MOST_NAMED })) this.#differs(`the match lacks ${name}`);
    }
    for (const { name } of this.#sql.all(verifyMatchStatements.unplaced, { most: MOST_NAMED })) {
      this.#differs(`${name} is in no item`);
    }
  }

  #isSource(node: ReturnType<typeof nodeOf>, body: string): boolean {
    if (node.kind === 'order') return false;
    if (node.kind === 'transfer') return JSON.stringify(this.#bank.transfer(node.id)) === body;
    const lines = this.#sql
      .all(verifyMatchStatements.broughtLines, { line_id: node.id })
      .flatMap(({ line }) => readLine(line) ?? []);
    const [first] = lines;
    if (first === undefined) return false;
    const all = lines.reduce(joinedLine, first);
    // Of several files that have it, the one whose lines were brought in first: the larger of two may take longer.
    return lines.some((line) => JSON.stringify(joinedLine(line, all)) === body);
  }

  /** The days that files speak of, but for files that are still brought in, and the chains of transfers. */
  #ofCover(): void {
    const due = new Set(this.#sql.all(verifyMatchStatements.due, {}).map(({ statement_id }) => statement_id));
    const expected = new Set<string>();
    for (const row of this.#sql.all(verifyMatchStatements.files, {})) {
      const statement = due.has(row.statement_id) ? null : this.#bank.statement(branded(row.statement_id));
      for (const cover of statement === null ? [] : coverOf(statement)) {
        if (cover._tag === 'Covered') expected.add(`${cover.currency} ${cover.from} ${cover.to}`);
      }
    }
    const stored = this.#sql
      .all(evidenceStatements.covered, {})
      .map(({ currency, first_day, last_day }) => `${currency} ${first_day} ${last_day}`);
    this.#same('covered days', new Set(stored), expected);
    const chains = this.#sql.all(evidenceStatements.chains, {}).map(({ chain_id }) => chain_id);
    const seen = this.#sql.all(verifyMatchStatements.seenChains, {}).map(({ chain_id }) => chain_id);
    this.#same('chain', new Set(chains), new Set(seen));
  }

  #same(what: string, stored: ReadonlySet<string>, expected: ReadonlySet<string>): void {
    for (const key of stored.symmetricDifference(expected)) this.#differs(`${what} ${key} of the match differ`);
  }

  /** Each item is what its first member belongs to now, and its members and breaks lead to it and to nothing else. */
  #ofItems(): void {
    let [members, breaks] = [0, 0];
    for (let itemId = ''; ;) {
      const rows = this.#sql.all(verifyMatchStatements.items, { item_id: itemId, most: AT_ONCE });
      // What was read of other items is not needed again.
      this.#evidence.forget();
      const components = new Components(this.#evidence, this.#settings);
      for (const { body, ...row } of rows) {
        const item = read(body, readItem);
        const [first] = item?.members ?? [];
        const component = first === undefined ? null : components.of(first);
        const expected = component === null ? null : matchItem(component, this.#settings, this.#calendar);
        const codes = new Set(item?.breaks.map(({ code }) => code));
        const isIt =
          item !== null && JSON.stringify(expected) === body && isRowOf(row, item) && this.#isLed(item, codes);
        if (!isIt) this.#differs(`item ${row.item_id} differs`);
        if (item === null) continue;
        members += item.members.length;
        breaks += codes.size;
        this.#count(item);
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      itemId = last.item_id;
    }
    const sizes = this.#sql.one(verifyMatchStatements.sizes, {});
    if (sizes.members !== members) this.#differs(`${sizes.members} members of items are noted, expected ${members}`);
    if (sizes.breaks !== breaks) this.#differs(`${sizes.breaks} breaks of items are noted, expected ${breaks}`);
  }

  #isLed({ itemId: item_id, day, members }: MatchItem, codes: ReadonlySet<string>): boolean {
    const isPlaced = members.every((name) => this.#sql.get(itemStatements.itemWith, { name })?.item_id === item_id);
    const isListed = (code: string): boolean =>
      this.#sql.get(verifyMatchStatements.hasBreak, { code, day, item_id }) !== undefined;
    return isPlaced && [...codes].every(isListed);
  }

  /** Each order for which something is due is in an item or awaited, never both, and no other is awaited. */
  #ofOrders(): void {
    const classes = new Map(this.#sql.all(itemStatements.classes, {}).map((row) => [row.id, row.class]));
    let awaited = 0;
    for (let no = 0; ;) {
      const rows = this.#sql.all(verifyMatchStatements.orders, { no, most: AT_ONCE });
      for (const row of rows) {
        // What can't be read is named by the comparison of orders.
        const state = read(row.state, readState);
        if (state === null) continue;
        const alone = orderAlone(matchOrderOf(state, this.#calendar));
        const stored = this.#sql.get(itemStatements.awaitedAt, { no: row.no });
        const name = orderNode(branded<OrderId>(row.order_id));
        const isPlaced = this.#sql.get(itemStatements.itemWith, { name }) !== undefined;
        if (stored !== undefined) awaited += 1;
        if (alone !== null && !isPlaced) this.#count(alone);
        const expected = alone === null || isPlaced ? null : [classKey(alone), alone.day, alone.fiat];
        const found = stored === undefined ? null : [classes.get(stored.class), stored.day, stored.fiat];
        if (JSON.stringify(found) !== JSON.stringify(expected)) this.#differs(`what is awaited for ${name} differs`);
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      no = last.no;
    }
    const sizes = this.#sql.one(verifyMatchStatements.sizes, {});
    if (sizes.awaited !== awaited) this.#differs(`${sizes.awaited} orders are awaited, expected ${awaited}`);
  }

  #count(item: MatchItem | OrderAlone): void {
    const key = `${classKey(item)} ${item.day}`;
    const cell = this.#cells.get(key) ?? { items: 0, fiat: ZERO };
    this.#cells.set(key, { items: cell.items + 1, fiat: plus(cell.fiat, exactOf(item.fiat)) });
  }

  #ofCells(): void {
    const classes = new Map(this.#sql.all(itemStatements.classes, {}).map((row) => [row.id, row.class]));
    const stored = this.#sql
      .all(verifyMatchStatements.allCells, {})
      .map(({ class: id, day, items, fiat }) => `${classes.get(id) ?? ''} ${day}: ${items} items, ${fiat}`);
    const expected = [...this.#cells].map(([key, { items, fiat }]) => `${key}: ${items} items, ${plainText(fiat)}`);
    this.#same('sums', new Set(stored), new Set(expected));
  }
}

/** Null for what is damaged, which is a difference here. */
const read = <A>(text: string, of: (text: string) => A | null): A | null => {
  try {
    return of(text);
  } catch {
    return null;
  }
};

type Columns = Readonly<
  Record<'item_id' | 'day' | 'state', string> & Record<'rule' | 'flow' | 'currency', string | null>
>;

const isRowOf = (row: Columns, { itemId, day, state, rule, flow, currency }: MatchItem): boolean =>
  JSON.stringify([row.item_id, row.day, row.state, row.rule, row.flow, row.currency]) ===
  JSON.stringify([itemId, day, state, rule, flow, currency]);

/** The differences of the match; at once where nothing was imported. It holds no more than a page of items at a time. */
export const verifyMatch = (
  database: Database.Database,
  calendar: Calendar,
  settings: MatchSettings,
): readonly ReadModelFailure[] =>
  database
    .transaction(() => {
      const verification = new MatchVerification(database, calendar, settings);
      verification.run();
      return verification.failures;
    })
    .deferred();

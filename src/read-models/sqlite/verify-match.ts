import type Database from 'better-sqlite3';
import { Components } from '../../../projections/match/components.ts';
import { joinedLine } from '../../../projections/match/joined-line.ts';
import {
  matchItem,
  orderAlone,
  sharesOf,
  type MatchItem,
  type OrderAlone,
} from '../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import { lineNode, orderNode, transferNode, type NodeName } from '../../../projections/match/node.ts';
import { branded } from '../../domain/brand.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { exactOf, parseExact, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { OrderId, Position } from '../../domain/ids.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { classKey } from '../match-class.ts';
import { listKey } from '../match-item-list.ts';
import { evidenceStatements, itemStatements } from '../statements/match-statements.ts';
import { verifyMatchStatements } from '../statements/verify-match-statements.ts';
import { readItem } from '../stored-match.ts';
import { readLine } from '../stored-bank.ts';
import { readState, rowStateText } from '../stored-state.ts';
import { readModelFailure, type ReadModelFailure } from '../verification.ts';
import { BankTables } from './bank-tables.ts';
import { coverOf } from './bank-match.ts';
import { EvidenceEntries } from './evidence-entries.ts';
import { ItemRows } from './item-rows.ts';
import { MatchEvidence } from './match-evidence.ts';
import { termOf } from './term.ts';
import { TermIndex } from './term-index.ts';
import { unsettled, type Unsettled } from './unsettled.ts';

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
  readonly #rows: ItemRows;
  readonly #itemIds: TermIndex;
  readonly #terms: TermIndex;
  readonly #entries = new EvidenceEntries();
  readonly #calendar: Calendar;
  readonly #settings: MatchSettings;
  readonly #cells = new Map<string, Cell>();
  #unsettled: Unsettled = { rows: new Set(), nodes: new Set() };

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#sql = new SqliteStatements(database);
    this.#bank = new BankTables(database);
    this.#evidence = new MatchEvidence(database, calendar);
    this.#rows = new ItemRows(this.#sql, this.#evidence);
    this.#itemIds = new TermIndex(database, 'item');
    this.#terms = new TermIndex(database, 'match');
    this.#calendar = calendar;
    this.#settings = settings;
  }

  run(): void {
    if (this.#sql.one(verifyMatchStatements.isAny, {}).found === 0) return;
    this.#evidence.steady(() => {
      this.#unsettled = unsettled(this.#sql, this.#evidence, this.#rows, this.#settings);
      this.#ofEvidence();
      this.#ofItems();
      this.#ofOrders();
    });
    this.#ofEntries();
    this.#ofCover();
    this.#ofCells();
  }

  #differs(detail: string): void {
    if (this.failures.length < MOST_NAMED) this.failures.push(readModelFailure('read-model-match-differs', detail));
  }

  /** Each line and transfer of the match is one of the bank's tables, found by its name, and none of them is missing. */
  #ofEvidence(): void {
    for (let no = 0; ;) {
      const rows = this.#sql.all(verifyMatchStatements.evidence, { no, most: AT_ONCE });
      for (const row of rows) {
        const name = this.#sourceOf(row.no);
        if (name === null) {
          this.#entries.addDamaged(row.no);
          this.#differs(`number ${row.no} of the match differs`);
        } else if (row.item === null && !this.#unsettled.nodes.has(name)) this.#differs(`${name} is in no item`);
      }
      this.#evidence.forget();
      const last = rows.at(-1);
      if (last === undefined) break;
      no = last.no;
    }
    this.#ofLines();
    this.#ofTransfers();
  }

  /** The name of what has a number in the match, where all is well with it. */
  #sourceOf(no: number): NodeName | null {
    const name = this.#nameAt(no);
    return name !== null && this.#evidence.evidenceNumber(name) === no ? name : null;
  }

  #nameAt(no: number): NodeName | null {
    const transfer = this.#evidence.transferAt(no);
    if (transfer !== null) {
      this.#entries.addTransfer(no, transfer);
      return transferNode(transfer.transferId);
    }
    const brought = read(no, (its) => this.#evidence.brought(its));
    if (brought === null) return null;
    const files = this.#sql.all(verifyMatchStatements.broughtLines, { line_id: brought.line.lineId });
    const lines = files.flatMap(({ line }) => readLine(line) ?? []);
    const [first] = lines;
    const isFirst = first !== undefined && files[0]?.position === brought.file && first.index === brought.line.index;
    if (!isFirst) return null;
    const own = lines.reduce(joinedLine, first).ownReferences;
    if (JSON.stringify(own) !== JSON.stringify(brought.line.ownReferences)) return null;
    this.#entries.addLine(no, brought.line);
    return lineNode(first.lineId);
  }

  /** Whatever lines and transfers are searched by leads to them, and what searches items finds them: old entries lead to what has another id. */
  #ofEntries(): void {
    const differing = this.#entries.differing(this.#terms);
    if (differing === null) this.#differs('the index that finds orders and evidence for the match is damaged');
    for (const no of differing ?? []) this.#differs(`number ${no} of the match is found by other terms`);
    if (!this.#itemIds.inspect(() => undefined)) this.#differs('the index that finds items is damaged');
  }

  /** Lines that count, but for those of large files that are still brought in. */
  #ofLines(): void {
    const due = new Map(this.#sql.all(verifyMatchStatements.due, {}).map((row) => [row.statement_id, row.after]));
    for (const row of this.#sql.all(verifyMatchStatements.files, {})) {
      const statementId = branded<StatementId>(row.statement_id);
      const upTo = due.get(row.statement_id) ?? Infinity;
      for (let after: number | null = null; ;) {
        const lines = this.#bank.lines({ statementId, after, limit: AT_ONCE });
        for (const { lineId, index } of lines) if (index <= upTo) this.#isThere(lineNode(lineId));
        this.#evidence.forget();
        const last = lines.at(-1);
        if (last === undefined || last.index > upTo) break;
        after = last.index;
      }
    }
  }

  #ofTransfers(): void {
    for (let after: Position | null = null; ;) {
      const transfers = this.#bank.transfers({ chainId: null, txnHash: null, after, limit: AT_ONCE });
      for (const { transferId } of transfers) this.#isThere(transferNode(transferId));
      const last = transfers.at(-1);
      if (last === undefined) return;
      after = last.position;
    }
  }

  #isThere(name: NodeName): void {
    if (this.#evidence.evidenceNumber(name) === null) this.#differs(`the match lacks ${name}`);
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

  /** Each item is what its first member belongs to now, and its members, its id and its list lead to it and to nothing else. */
  #ofItems(): void {
    const lists = new Map(this.#sql.all(itemStatements.lists, {}).map((row) => [row.id, row.list]));
    let members = 0;
    for (let no = 0; ;) {
      const rows = this.#sql.all(verifyMatchStatements.items, { no, most: AT_ONCE });
      // What was read of other items is not needed again.
      this.#evidence.forget();
      const components = new Components(this.#evidence, this.#settings);
      for (const row of rows) {
        const item = read(row.body, readItem);
        const [first] = item?.members ?? [];
        const component = first === undefined ? null : components.of(first);
        const expected = component === null ? null : matchItem(component, this.#settings, this.#calendar);
        const isIt =
          item !== null &&
          (JSON.stringify(expected) === row.body || this.#unsettled.rows.has(row.no)) &&
          row.item_id === item.itemId &&
          row.day === item.day &&
          lists.get(row.list) === listKey(item) &&
          row.evidence === this.#rows.evidenceText(item) &&
          this.#isLed(item, row.no);
        if (!isIt) this.#differs(`item ${row.item_id} differs`);
        if (item === null) continue;
        members += item.members.length;
        this.#count(item);
      }
      const last = rows.at(-1);
      if (last === undefined) break;
      no = last.no;
    }
    const sizes = this.#sql.one(verifyMatchStatements.sizes, {});
    if (sizes.members !== members) this.#differs(`${sizes.members} members of items are noted, expected ${members}`);
  }

  #isLed({ itemId, members }: MatchItem, no: number): boolean {
    return this.#itemIds.refs(termOf(itemId)).includes(no) && members.every((name) => this.#rows.rowWith(name) === no);
  }

  /** Each order for which something is due is in an item or awaited, never both, and no other is awaited. */
  #ofOrders(): void {
    const classes = new Map(this.#sql.all(itemStatements.classes, {}).map((row) => [row.id, row.class]));
    let awaited = 0;
    for (let no = 0; ;) {
      const rows = this.#sql.all(verifyMatchStatements.orders, { no, most: AT_ONCE });
      for (const row of rows) {
        // What can't be read is named by the comparison of orders.
        const state = read(rowStateText(row), readState);
        if (state === null) continue;
        const alone = orderAlone(matchOrderOf(state, this.#calendar));
        const stored = this.#sql.get(itemStatements.awaitedAt, { no: row.no });
        const name = orderNode(branded<OrderId>(row.order_id));
        const isPlaced = this.#sql.get(itemStatements.itemOf, { no: row.no }) !== undefined;
        if (stored !== undefined) awaited += 1;
        if (this.#unsettled.nodes.has(name)) {
          const as = stored === undefined ? undefined : classes.get(stored.class);
          if (stored !== undefined && as !== undefined) this.#countOf(as, stored.day, parseExact(stored.fiat) ?? ZERO);
          continue;
        }
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
    this.#same('sums', new Set(stored), new Set(expected));
  }
}

/** Null for what is damaged, which is a difference here. */
const read = <A, B>(it: A, of: (it: A) => B | null): B | null => {
  try {
    return of(it);
  } catch {
    return null;
  }
};

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

import type Database from 'better-sqlite3';
import { Components } from '../../../../projections/match/components.ts';
import { joinedLine } from '../../../../projections/match/joined-line.ts';
import {
  matchItem,
  orderAlone,
  sharesOf,
  type MatchItem,
  type OrderAlone,
} from '../../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import { lineNode, orderNode, transferNode, type NodeName } from '../../../../projections/match/node.ts';
import { branded } from '../../../domain/brand.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { exactOf, parseExact, plainText, plus, ZERO, type Exact } from '../../../domain/exact.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { LineId } from '../../../domain/statement-line.ts';
import type { TransferId } from '../../../domain/transfer.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { compared } from '../../compared.ts';
import { classKey } from '../../match-class.ts';
import { listKey } from '../../match-item-list.ts';
import { evidenceStatements, itemStatements } from '../../statements/match-statements.ts';
import { verifyMatchStatements } from '../../statements/verify-match-statements.ts';
import { readDecision, readItem } from '../../stored-match.ts';
import { readLine } from '../../stored-bank.ts';
import { readState, rowStateText } from '../../stored-state.ts';
import { readModelFailure, type ReadModelFailure } from '../../verification.ts';
import { BankTables } from '../match/bank-tables.ts';
import { coverOf } from '../match/bank-match.ts';
import { EvidenceEntries } from './evidence-entries.ts';
import { ItemRows } from '../match/item-rows.ts';
import { MatchEvidence } from '../match/match-evidence.ts';
import { rowPages } from '../../row-pages.ts';
import { termOf } from '../terms/term.ts';
import { TermIndex } from '../terms/term-index.ts';
import { unsettled, type Unsettled } from './unsettled.ts';

const AT_ONCE = 500;
/** Differences that are named one by one; more of them say no more. */
const MOST_NAMED = 100;

type EvidenceRow = {
  readonly no: number;
  readonly file: number | null;
  readonly idx: number | null;
  readonly transfer_id: string | null;
  readonly own: string | null;
};

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
    this.#look('the match', () =>
      this.#evidence.steady(() => {
        this.#look('what waits for large items', () => {
          this.#unsettled = unsettled(this.#sql, this.#evidence, this.#rows, this.#settings);
        });
        this.#look('evidence of the match', () => this.#ofEvidence());
        this.#look('bank lines', () => this.#ofLines());
        this.#look('transfers', () => this.#ofTransfers());
        this.#look('items', () => this.#ofItems());
        this.#look('orders', () => this.#ofOrders());
      }),
    );
    this.#look('what the match is found by', () => this.#ofEntries());
    this.#look('what is still brought in', () => this.#ofDue());
    this.#look('decisions', () => this.#ofDecided());
    this.#look('covered days', () => this.#ofCover());
    this.#look('sums', () => this.#ofCells());
  }

  /** Looks at one thing. A damaged row that is read on the way is a difference of it, and hides no other. */
  #look(what: string, look: () => void): void {
    compared(look, (detail) => this.#differs(`${what}: ${detail}`));
  }

  #differs(detail: string): void {
    if (this.failures.length < MOST_NAMED) this.failures.push(readModelFailure('read-model-match-differs', detail));
  }

  /** Each line and transfer of the match is one of the bank's tables, found by its name, and none of them is missing. */
  #ofEvidence(): void {
    const read = (no: number) => this.#sql.all(verifyMatchStatements.evidence, { no, most: AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) {
      for (const row of rows) {
        const { no, item } = row;
        const name = compared(
          () => this.#sourceOf(row),
          () => null,
        );
        if (name === null) {
          this.#entries.addDamaged(no);
          this.#differs(`number ${no} of the match differs`);
        } else if (item === null && !this.#unsettled.nodes.has(name)) this.#differs(`${name} is in no item`);
      }
      this.#evidence.forget();
    }
  }

  /** The name of what has a number in the match, where all is well with it. */
  #sourceOf(row: EvidenceRow): NodeName | null {
    const { no } = row;
    const name = this.#nameAt(row);
    return name !== null && this.#evidence.evidenceNumber(name) === no ? name : null;
  }

  #nameAt({ no, file, idx, transfer_id, own: ownText }: EvidenceRow): NodeName | null {
    const transfer = this.#evidence.transferAt(no);
    if (transfer !== null) {
      if (file !== null || idx !== null || ownText !== null || transfer_id !== transfer.transferId) return null;
      this.#entries.addTransfer(no, transfer);
      return transferNode(transfer.transferId);
    }
    const brought = readable(no, (its) => this.#evidence.brought(its));
    if (brought === null) return null;
    const files = this.#sql.all(verifyMatchStatements.broughtLines, { line_id: brought.line.lineId });
    const lines = files.flatMap(({ line }) => readLine(line) ?? []);
    const [first] = lines;
    const isFirst = first !== undefined && files[0]?.position === brought.file && first.index === brought.line.index;
    if (!isFirst) return null;
    const own = lines.reduce(joinedLine, first).ownReferences;
    const expected = JSON.stringify(own);
    if (transfer_id !== null || expected !== JSON.stringify(brought.line.ownReferences)) return null;
    if (ownText !== (expected === JSON.stringify(first.ownReferences) ? null : expected)) return null;
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
      const upTo = due.get(row.statement_id) ?? Infinity;
      const read = (idx: number) => this.#sql.all(verifyMatchStatements.fileLines, { ...row, idx, most: AT_ONCE });
      for (const lines of rowPages(read, ({ idx }) => idx)) {
        for (const { line_id, idx } of lines) if (idx <= upTo) this.#isThere(lineNode(branded<LineId>(line_id)));
        this.#evidence.forget();
        if ((lines.at(-1)?.idx ?? 0) > upTo) break;
      }
    }
  }

  #ofTransfers(): void {
    const read = (position: number) => this.#sql.all(verifyMatchStatements.transfers, { position, most: AT_ONCE });
    for (const rows of rowPages(read, ({ position }) => position)) {
      for (const { transfer_id } of rows) this.#isThere(transferNode(branded<TransferId>(transfer_id)));
      this.#evidence.forget();
    }
  }

  #isThere(name: NodeName): void {
    const no = compared(
      () => this.#evidence.evidenceNumber(name),
      () => null,
    );
    if (no === null) this.#differs(`the match lacks ${name}`);
  }

  /** The days that files speak of, but for files that are still brought in, and the chains of transfers. */
  #ofCover(): void {
    const due = new Set(this.#sql.all(verifyMatchStatements.due, {}).map(({ statement_id }) => statement_id));
    const expected = new Set<string>();
    for (const row of this.#sql.all(verifyMatchStatements.files, {})) {
      const statement = due.has(row.statement_id) ? null : this.#bank.statement(branded(row.statement_id));
      for (const cover of statement === null ? [] : coverOf(statement)) {
        if (cover._tag === 'Covered')
          expected.add(`${cover.currency} ${cover.from} ${cover.to} of ${cover.statementId}`);
      }
    }
    const stored = this.#sql
      .all(verifyMatchStatements.covers, {})
      .map((row) => `${row.currency} ${row.first_day} ${row.last_day} of ${row.statement_id}`);
    this.#same('covered days', new Set(stored), expected);
    const chains = this.#sql.all(evidenceStatements.chains, {}).map(({ chain_id }) => chain_id);
    const seen = this.#sql.all(verifyMatchStatements.seenChains, {}).map(({ chain_id }) => chain_id);
    this.#same('chain', new Set(chains), new Set(seen));
  }

  /** Parts of files that are still brought in are left out of what is compared: they must be of files that there are. */
  #ofDue(): void {
    for (const { statement_id } of this.#sql.all(verifyMatchStatements.strayDue, {}))
      this.#differs(`what is still brought in of bank file ${statement_id} differs`);
  }

  /** Each decision is found by what it names, and by nothing else. */
  #ofDecided(): void {
    const expected = this.#sql.all(verifyMatchStatements.decisions, {}).flatMap(({ item_id, body }) => {
      const decision = readable(body, readDecision);
      if (decision?.itemId !== item_id) this.#differs(`the decision on item ${item_id} differs`);
      return [...(decision?.group ?? []), ...(decision?.apart ?? [])].map((name) => `${name} on ${item_id}`);
    });
    const stored = this.#sql.all(verifyMatchStatements.decided, {}).map(({ name, item_id }) => `${name} on ${item_id}`);
    this.#same('decisions of', new Set(stored), new Set(expected));
  }

  #same(what: string, stored: ReadonlySet<string>, expected: ReadonlySet<string>): void {
    for (const key of stored.symmetricDifference(expected)) this.#differs(`${what} ${key} of the match differ`);
  }

  /** Each item is what its first member belongs to now, and its members, its id and its list lead to it and to nothing else. */
  #ofItems(): void {
    const lists = new Map(this.#sql.all(itemStatements.lists, {}).map((row) => [row.id, row.list]));
    let members = 0;
    const read = (no: number) => this.#sql.all(verifyMatchStatements.items, { no, most: AT_ONCE });
    for (const rows of rowPages(read, ({ no }) => no)) {
      // What was read of other items is not needed again.
      this.#evidence.forget();
      const components = new Components(this.#evidence, this.#settings);
      for (const row of rows) {
        const item = readable(row.body, readItem);
        this.#look(`item ${row.item_id}`, () => {
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
        });
        if (item === null) continue;
        members += item.members.length;
        this.#count(item);
      }
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
const readable = <A, B>(it: A, of: (it: A) => B | null): B | null =>
  compared(
    () => of(it),
    () => null,
  );

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

import type Database from 'better-sqlite3';
import type { Component } from '../../../../projections/match/component.ts';
import { Components } from '../../../../projections/match/components.ts';
import { matchItem, sharesOf, type MatchItem } from '../../../../projections/match/match-item.ts';
import type { MatchOrder } from '../../../../projections/match/match-order.ts';
import { nodeOf, orderNode, type NodeName } from '../../../../projections/match/node.ts';
import { updateItems, type ItemBook } from '../../../../projections/match/update-items.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import { exactOf, negated, parseExact, ZERO } from '../../../domain/exact.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { AwaitedOrder } from '../../loaded-orders.ts';
import type { MatchChange } from '../../match-change.ts';
import { classKey } from '../../match-class.ts';
import { listKey } from '../../match-item-list.ts';
import { awaitedRows, itemStatements } from '../../statements/match-statements.ts';
import { termOf } from '../terms/term.ts';
import { ItemRows } from './item-rows.ts';
import { LargeItems } from './large-items.ts';
import { MatchCells } from './match-cells.ts';
import type { MatchEvidence } from './match-evidence.ts';
import type { AddTerm } from './match-refs.ts';

/** Nodes that are looked at before what was read of them is forgotten. */
const AT_ONCE = 2_000;

/** Members of an item that is made within some milliseconds. */
const LARGE_MEMBERS = 50;

/** An order that nothing was found for, and nobody has decided on: its row needs no item. */
const isPlain = ({ state, decision, members }: MatchItem): boolean =>
  state === 'awaited' && decision === null && members.length === 1;

/** The items of one generation. */
export class MatchTable {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #settings: MatchSettings;
  readonly #calendar: Calendar;
  readonly #rows: ItemRows;
  readonly #addItemTerm: AddTerm;
  readonly #classes = new Map<string, number>();
  readonly #lists = new Map<string, number>();
  readonly #cells: MatchCells;
  readonly #large: LargeItems;
  readonly #largeMembers: number;
  /** What the transaction under way has brought, and what is in no item yet. */
  readonly #fresh = new Set<NodeName>();

  /**
   * @param addItemTerm adds what an item is found by to the index of items, which nothing here reads
   * @param largeMembers items of more than so many are made anew beside what else there is to do
   */
  constructor(
    database: Database.Database,
    evidence: MatchEvidence,
    settings: MatchSettings,
    calendar: Calendar,
    addItemTerm: AddTerm,
    largeMembers = LARGE_MEMBERS,
  ) {
    this.#sql = new SqliteStatements(database);
    this.#evidence = evidence;
    this.#rows = new ItemRows(this.#sql, evidence);
    this.#addItemTerm = addItemTerm;
    this.#settings = settings;
    this.#calendar = calendar;
    this.#cells = new MatchCells(this.#sql);
    this.#large = new LargeItems(this.#sql, evidence, settings, largeMembers);
    this.#largeMembers = largeMembers;
  }

  /** Whether there is neither evidence nor a decision. */
  isOfOrdersAlone(): boolean {
    return this.#evidence.isOfOrdersAlone();
  }

  /** Notes what an order of the transaction under way is now, before `update`. `isNew`: it was in no item before. */
  noteOrder(no: number, order: MatchOrder, isNew: boolean): void {
    this.#evidence.noteChanged(no, order);
    if (isNew) this.#fresh.add(orderNode(order.orderId));
  }

  /** Takes in what events of the transaction under way say, before `update`; answers the nodes that it touches. */
  take(changes: Iterable<MatchChange>, addTerm: AddTerm): readonly NodeName[] {
    const touched: NodeName[] = [];
    this.#evidence.steady(() => {
      for (const change of changes) {
        for (const name of this.#evidence.apply(change, addTerm, (fresh) => this.#fresh.add(fresh))) touched.push(name);
      }
    });
    return touched;
  }

  /**
   * Makes anew what some nodes change. Their terms must be in the index already. What may belong to a large item waits.
   *
   * @param position of what touched them, or the one behind what came before
   */
  update(touched: Iterable<NodeName>, position: number): void {
    this.#evidence.forgetFound();
    this.#evidence.steady(() => this.#update(this.#large.letWait(touched, position)));
  }

  /** The same, of all that is there: nothing waits. */
  updateAll(touched: Iterable<NodeName>): void {
    this.#evidence.steady(() => this.#update(touched));
  }

  /** The same, of all that waits; whether anything did. */
  updateWaiting(): boolean {
    this.#evidence.forget();
    return this.#evidence.steady(() => {
      const waiting = this.#large.takeWaiting();
      if (waiting !== null) this.#update(waiting);
      return waiting !== null;
    });
  }

  #update(touched: Iterable<NodeName>): void {
    const waiting = new Set<NodeName>();
    const inLarge = new Set<NodeName>();
    const flush = (): void => {
      this.#evidence.forgetFound();
      const components = new Components(this.#evidence, this.#settings);
      const book: ItemBook = {
        takeOut: (node) => this.#takeOut(node),
        decisionsOn: this.#evidence.decisionsOn,
        put: (component) => {
          this.#put(component);
          // One that is made of what many nodes are in is not to be made again for those that are looked at later.
          if (component.members.length > this.#largeMembers) for (const name of component.members) inLarge.add(name);
        },
      };
      updateItems(waiting, (node) => components.of(node), book, inLarge);
      waiting.clear();
      this.#evidence.forget();
    };
    for (const node of touched) {
      waiting.add(node);
      if (waiting.size >= AT_ONCE) flush();
    }
    if (waiting.size > 0) flush();
    // Lines that are known already touch nothing, but were read: a large file may come again.
    else this.#evidence.forget();
    this.#evidence.forgetChanged();
    this.#fresh.clear();
    this.#cells.write();
  }

  /** Puts orders of a bulk load, each by itself: what else it belongs with is found when all is there. */
  putAwaited(orders: readonly (readonly [no: number, awaited: AwaitedOrder])[]): void {
    this.#sql.put(
      awaitedRows,
      orders.map(([no, { classKey: key, day, fiat }]) => {
        const cls = this.#classNumbered(key);
        this.#cells.count(cls, day, 1, exactOf(fiat));
        return [no, cls, day, fiat];
      }),
    );
  }

  /** Writes what was counted. */
  writeCells(): void {
    this.#cells.write();
  }

  /** What was taken in since the last commit is gone. */
  forget(): void {
    this.#classes.clear();
    this.#lists.clear();
    this.#cells.forget();
    this.#fresh.clear();
    this.#evidence.forget();
    this.#evidence.forgetChanged();
  }

  #takeOut(node: NodeName): readonly NodeName[] | null {
    if (this.#fresh.has(node)) return null;
    const no = this.#rows.rowWith(node);
    const item = no === null ? null : this.#rows.remove(no);
    if (item === null) return this.#takeOutAwaited(node) ? [node] : null;
    if (no !== null) this.#large.noteRemoved(no);
    this.#count(item, -1);
    return item.members;
  }

  /** Takes out the row of an order that nothing was found for; whether it had one. */
  #takeOutAwaited(node: NodeName): boolean {
    const no = this.#orderNumber(node);
    const row = no === null ? undefined : this.#sql.get(itemStatements.noLongerAwait, { no });
    if (row !== undefined) this.#cells.count(row.class, row.day, -1, negated(parseExact(row.fiat) ?? ZERO));
    return row !== undefined;
  }

  #orderNumber(name: NodeName): number | null {
    const node = nodeOf(name);
    return node.kind === 'order' ? this.#evidence.orderNumber(node.id) : null;
  }

  #put(component: Component): void {
    const item = matchItem(component, this.#settings, this.#calendar);
    for (const name of item.members) this.#fresh.delete(name);
    const [first] = item.members;
    const no = isPlain(item) && first !== undefined ? this.#orderNumber(first) : null;
    if (no !== null) {
      this.#await(no, this.#classOf(item), item.day, item.fiat);
      return;
    }
    const row = this.#rows.put(item, this.#listOf(item));
    this.#large.notePut(row, item.members.length);
    this.#addItemTerm(termOf(item.itemId), row);
    this.#count(item, 1);
  }

  /** Puts an item into summaries, in each of its currencies, or takes it out of them. */
  #count(item: MatchItem, items: 1 | -1): void {
    for (const { currency, fiat } of sharesOf(item)) {
      const cls = this.#classNumbered(classKey(item, currency));
      this.#cells.count(cls, item.day, items, items === 1 ? exactOf(fiat) : negated(exactOf(fiat)));
    }
  }

  #await(no: number, cls: number, day: string, fiat: Decimal): void {
    this.#sql.run(itemStatements.await, { no, class: cls, day, fiat });
    this.#cells.count(cls, day, 1, exactOf(fiat));
  }

  #classOf(item: MatchItem): number {
    return this.#classNumbered(classKey(item));
  }

  #classNumbered(key: string): number {
    const known = this.#classes.get(key) ?? this.#sql.get(itemStatements.classOf, { class: key })?.id;
    const id = known ?? this.#sql.one(itemStatements.addClass, { class: key }).id;
    this.#classes.set(key, id);
    return id;
  }

  #listOf(item: MatchItem): number {
    const list = listKey(item);
    const known = this.#lists.get(list) ?? this.#sql.get(itemStatements.listOf, { list })?.id;
    const id = known ?? this.#sql.one(itemStatements.addList, { list }).id;
    this.#lists.set(list, id);
    return id;
  }
}

import type Database from 'better-sqlite3';
import type { MatchDecision } from '../../../../projections/match/decision.ts';
import type { MatchIndex } from '../../../../projections/match/match-index.ts';
import type { MatchOrder } from '../../../../projections/match/match-order.ts';
import { orderNode, type NodeName } from '../../../../projections/match/node.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { isOrderId, type OrderId } from '../../../domain/ids.ts';
import type { LineId } from '../../../domain/statement-line.ts';
import type { Transfer, TransferId } from '../../../domain/transfer.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { MatchChange } from '../../match-change.ts';
import { EVIDENCE_TERMS, ORDER_TERMS } from '../../match-terms.ts';
import { present } from '../../present.ts';
import type { WrappedLine } from '../../wrapped-line.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import { OrderNumbers } from '../orders/order-numbers.ts';
import { TermIndex } from '../terms/term-index.ts';
import { EvidenceRows, type BroughtLine, type NoteNew } from './evidence-rows.ts';
import { MatchDecisions } from './match-decisions.ts';
import { MatchOrders } from './match-orders.ts';
import { isOrderRef, numberOfRef, type AddTerm } from './match-refs.ts';

/** Bank lines, transfers and decisions of one generation, and the orders beside them, as the match looks for them. */
export class MatchEvidence implements MatchIndex {
  readonly #sql: SqliteStatements;
  readonly #terms: TermIndex;
  readonly #orders: MatchOrders;
  readonly #rows: EvidenceRows;
  readonly #decisions: MatchDecisions;
  /** What terms led to. */
  readonly #refs = new Map<number, readonly number[]>();
  /** What words led to: narrations say the same few again and again. */
  readonly #byWord = new Map<string, readonly MatchOrder[]>();

  constructor(
    database: Database.Database,
    calendar: Calendar,
    terms = new TermIndex(database, 'match'),
    numbers = new OrderNumbers(database),
  ) {
    this.#sql = new SqliteStatements(database);
    this.#terms = terms;
    this.#orders = new MatchOrders(this.#sql, calendar, numbers);
    this.#rows = new EvidenceRows(database, terms);
    this.#decisions = new MatchDecisions(this.#sql);
  }

  /** Does what looks for much, within one transaction in which nothing is added to the indexes meanwhile. */
  steady<A>(work: () => A): A {
    return this.#terms.steady(() => this.#orders.steady(work));
  }

  /** To be called when many were read. */
  forget(): void {
    this.#rows.forgetLines();
    this.forgetFound();
  }

  /** To be called when orders or indexes have changed. Lines that were brought are still known. */
  forgetFound(): void {
    this.#orders.forget();
    this.#rows.forgetWhetherAny();
    this.#decisions.forget();
    this.#refs.clear();
    this.#byWord.clear();
  }

  /** Whether there is neither a line nor a transfer nor a decision. */
  isOfOrdersAlone(): boolean {
    // Another runner may have brought a part of a file.
    this.forgetFound();
    return !this.#rows.hasAny() && !this.#decisions.hasAny();
  }

  /** Notes what an order is now, whose row the transaction under way has written. */
  noteChanged(no: number, order: MatchOrder): void {
    this.#orders.noteChanged(no, order);
  }

  /** To be called when what was noted has been looked at, or its transaction was rolled back. */
  forgetChanged(): void {
    this.#orders.forgetChanged();
  }

  /** Takes in what an event says; answers the nodes that it touches. */
  apply(change: MatchChange, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    if (change._tag === 'Line') return this.#rows.addLine(change.line, addTerm, noteNew);
    if (change._tag === 'Transfer') return this.#rows.addTransfer(change.transfer, addTerm, noteNew);
    if (change._tag === 'Decided') return this.#decisions.decide(change.decision);
    if (change._tag === 'TakenBack') return this.#decisions.takeBack(change.itemId);
    const { statementId, currency, from, to } = change;
    this.#sql.run(evidenceStatements.cover, {
      statement_id: statementId,
      currency,
      first_day: from,
      last_day: to,
    });
    return [];
  }

  /** Every node that may be in an item with something beside an order. */
  *all(): Generator<NodeName, void> {
    yield* this.#rows.names();
    yield* this.#decisions.names();
  }

  /** The number of a line or transfer; null where there is none of this name. */
  evidenceNumber(name: NodeName): number | null {
    return this.#rows.number(name);
  }

  /** Notes the numbers of lines and transfers, which a row has: they need not be searched for. */
  noteNumbers(names: readonly NodeName[], numbers: readonly number[]): void {
    for (const [i, name] of names.entries()) {
      const no = numbers[i];
      if (no !== undefined) this.#rows.note(name, no);
    }
  }

  /** A line and the file that it is kept of, by its number; null where it is a transfer's, or nothing's. */
  brought(no: number): BroughtLine | null {
    return this.#rows.brought(no);
  }

  /** The transfer of a number; null where it is a line's, or nothing's. */
  transferAt(no: number): Transfer | null {
    return this.#rows.transferAt(no);
  }

  orderNumber(id: OrderId): number | null {
    return this.#orders.number(id);
  }

  orderAt(no: number): MatchOrder | null {
    return this.#orders.at(no);
  }

  readonly order = (id: OrderId): MatchOrder | null => {
    const no = this.orderNumber(id);
    return no === null ? null : this.orderAt(no);
  };

  readonly line = (id: LineId): WrappedLine | null => this.#rows.line(id);

  readonly transfer = (id: TransferId): Transfer | null => this.#rows.transfer(id);

  readonly ordersWithUtr = (utr: string): readonly MatchOrder[] =>
    this.#ordersOf(ORDER_TERMS.reference(utr)).filter((order) => order.payouts.some((payout) => payout.utr === utr));

  readonly ordersWithChiefWord = (word: string): readonly MatchOrder[] => {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const found = [...this.#ordersOf(ORDER_TERMS.word(word)), ...this.ordersWithUtr(word)];
    this.#byWord.set(word, found);
    return found;
  };

  readonly ordersNamed = (reference: string): readonly MatchOrder[] => {
    return [
      ...(isOrderId(reference) ? present(this.order(reference)) : []),
      ...this.#ordersOf(ORDER_TERMS.reference(reference)).filter((order) => order.transactionId === reference),
    ];
  };

  readonly ordersWithHash = (key: string): readonly MatchOrder[] => this.#ordersOf(ORDER_TERMS.hash(key));

  readonly ordersOfDay = (key: string): readonly MatchOrder[] => this.#ordersOf(ORDER_TERMS.day(key));

  /** The line of a number; null where it is a transfer's, or nothing's. */
  lineAt(no: number): WrappedLine | null {
    return this.#rows.lineAt(no);
  }

  readonly linesWithReference = (reference: string): readonly WrappedLine[] =>
    this.#linesOf(EVIDENCE_TERMS.reference(reference)).filter((line) => line.references.includes(reference));

  readonly linesWithWord = (word: string): readonly WrappedLine[] => this.#linesOf(EVIDENCE_TERMS.word(word));

  readonly linesOfDay = (key: string): readonly WrappedLine[] => this.#linesOf(EVIDENCE_TERMS.day(key));

  readonly transfersWithHash = (key: string): readonly Transfer[] =>
    this.#evidenceOf(EVIDENCE_TERMS.hash(key)).flatMap((no) => present(this.#rows.transferAt(no)));

  readonly decisionsOn = (node: NodeName): readonly MatchDecision[] => this.#decisions.on(node);

  /** Some of what a term leads to. */
  someRefs(term: number, most: number): readonly number[] {
    return this.#terms.refs(term, most).slice(0, most);
  }

  /** The name of what a term led to; null where it is nothing. */
  nameOfRef(ref: number): NodeName | null {
    const no = numberOfRef(ref);
    if (isOrderRef(ref)) {
      const order = this.orderAt(no);
      return order === null ? null : orderNode(order.orderId);
    }
    return this.#rows.nameAt(no);
  }

  /** The decision in force on an item; null where there is none. */
  decision(itemId: string): MatchDecision | null {
    return this.#decisions.get(itemId);
  }

  #refsOf(term: number): readonly number[] {
    const known = this.#refs.get(term);
    if (known !== undefined) return known;
    const refs = this.#terms.refs(term);
    const found = refs.length > 1 ? [...new Set(refs)] : refs;
    this.#refs.set(term, found);
    return found;
  }

  #ordersOf(term: number): readonly MatchOrder[] {
    return this.#refsOf(term).flatMap((ref) => (isOrderRef(ref) ? present(this.orderAt(numberOfRef(ref))) : []));
  }

  /** Numbers of lines and transfers. */
  #evidenceOf(term: number): readonly number[] {
    // Most ledgers have none, and this is asked for each word and reference of every order.
    return this.#rows.hasAny() ? this.#refsOf(term).flatMap((ref) => (isOrderRef(ref) ? [] : [numberOfRef(ref)])) : [];
  }

  #linesOf(term: number): readonly WrappedLine[] {
    return this.#evidenceOf(term).flatMap((no) => present(this.#rows.lineAt(no)));
  }
}

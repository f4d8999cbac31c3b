import type Database from 'better-sqlite3';
import type { MatchDecision } from '../../../projections/match/decision.ts';
import type { ItemId } from '../../../projections/match/item-id.ts';
import { joinedLine } from '../../../projections/match/joined-line.ts';
import { matchOrderOf, type MatchOrder } from '../../../projections/match/match-order.ts';
import type { MatchIndex } from '../../../projections/match/match-index.ts';
import { lineNode, NodeNameText, transferNode, type NodeName } from '../../../projections/match/node.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { isOrderId, type OrderId } from '../../domain/ids.ts';
import type { LineId, StatementLine } from '../../domain/statement-line.ts';
import type { Transfer, TransferId } from '../../domain/transfer.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { MatchChange } from '../match-change.ts';
import { EVIDENCE_TERMS, lineMatchTerms, ORDER_TERMS, transferMatchTerms } from '../match-terms.ts';
import { evidenceStatements } from '../statements/match-statements.ts';
import { orderStatements, type WholeOrderRow } from '../statements/order-statements.ts';
import { readDecision, readLine, readTransfer } from '../stored-match.ts';
import { OrderNumbers } from './order-numbers.ts';
import { storedOrder } from './order-table.ts';
import { present } from './present.ts';
import { TermIndex } from './term-index.ts';

/** What the index of the match leads to: orders and evidence, by number. */
export const orderRef = (no: number): number => no * 2;
const evidenceRef = (no: number): number => no * 2 + 1;

/** Adds a term that leads to something. */
export type AddTerm = (term: number, ref: number) => void;

/** Told of a line or transfer that was not there before. */
type NoteNew = (name: NodeName) => void;

/** Lines that are longer are read again each time: thousands of them are looked at together. Most have some hundred characters. */
const KEPT_LINE = 4_096;

/** Bank lines, transfers and decisions of one generation, and the orders beside them, as the match looks for them. */
export class MatchEvidence implements MatchIndex {
  readonly #sql: SqliteStatements;
  readonly #calendar: Calendar;
  readonly #terms: TermIndex;
  readonly #numbers: OrderNumbers;
  /** Read since the last change: an item asks for the same again and again. */
  readonly #orders = new Map<number, MatchOrder>();
  /** What terms led to. */
  readonly #refs = new Map<number, readonly number[]>();
  /** What words led to: narrations say the same few again and again. */
  readonly #byWord = new Map<string, readonly MatchOrder[]>();
  /** By the item that was decided on: one of a large item is asked for from each of its nodes. */
  readonly #decisions = new Map<string, MatchDecision>();
  #hasDecisions: boolean | null = null;
  #hasEvidence: boolean | null = null;
  /** Orders that the transaction under way has changed: nobody need read their rows again. */
  readonly #changed = new Map<number, MatchOrder>();
  readonly #changedNumbers = new Map<OrderId, number>();
  /** Of orders that were read. */
  readonly #numberOf = new Map<OrderId, number>();
  /** Lines that were read or brought, but for long ones, by their number, and their numbers. */
  readonly #lines = new Map<number, StatementLine>();
  readonly #lineNumbers = new Map<LineId, number>();

  constructor(
    database: Database.Database,
    calendar: Calendar,
    terms = new TermIndex(database, 'match'),
    numbers = new OrderNumbers(database),
  ) {
    this.#sql = new SqliteStatements(database);
    this.#calendar = calendar;
    this.#terms = terms;
    this.#numbers = numbers;
  }

  /** Does what looks for much, within one transaction in which nothing is added to the indexes. */
  steady<A>(work: () => A): A {
    return this.#terms.steady(() => this.#numbers.steady(work));
  }

  /** To be called when many were read. */
  forget(): void {
    this.#lines.clear();
    this.#lineNumbers.clear();
    this.forgetFound();
  }

  /** To be called when orders or indexes have changed. Lines that were brought are still known. */
  forgetFound(): void {
    this.#orders.clear();
    this.#numberOf.clear();
    this.#refs.clear();
    this.#byWord.clear();
    this.#decisions.clear();
    this.#hasDecisions = null;
    this.#hasEvidence = null;
  }

  /** Notes what an order is now, whose row the transaction under way has written. */
  noteChanged(no: number, order: MatchOrder): void {
    this.#changed.set(no, order);
    this.#changedNumbers.set(order.orderId, no);
  }

  /** To be called when what was noted has been looked at, or its transaction was rolled back. */
  forgetChanged(): void {
    this.#changed.clear();
    this.#changedNumbers.clear();
  }

  /** Takes in what an event says; answers the nodes that it touches. */
  apply(change: MatchChange, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    if (change._tag === 'Line') return this.#addLine(change.line, addTerm, noteNew);
    if (change._tag === 'Transfer') return this.#addTransfer(change.transfer, addTerm, noteNew);
    if (change._tag === 'Decided') return this.#decide(change.decision);
    if (change._tag === 'TakenBack') return this.#takeBack(change.itemId);
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
    for (const { name } of this.#sql.all(evidenceStatements.names, {})) if (NodeNameText.is(name)) yield name;
    for (const { name } of this.#sql.all(evidenceStatements.decided, {})) if (NodeNameText.is(name)) yield name;
  }

  orderNumber(id: OrderId): number | null {
    const known = this.#changedNumbers.get(id) ?? this.#numberOf.get(id);
    if (known !== undefined) return known;
    const row = this.#numbers.row(id);
    return row === null ? null : this.#kept(row);
  }

  orderAt(no: number): MatchOrder | null {
    const known = this.#changed.get(no) ?? this.#orders.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(orderStatements.byNo, { no });
    if (row === undefined) return null;
    this.#kept(row);
    return this.#orders.get(no) ?? null;
  }

  /** Keeps what a row says of its order, which is asked for next; answers its number. */
  #kept(row: WholeOrderRow): number {
    const order = matchOrderOf(storedOrder(row).order.state, this.#calendar);
    this.#orders.set(row.no, order);
    this.#numberOf.set(order.orderId, row.no);
    return row.no;
  }

  readonly order = (id: OrderId): MatchOrder | null => {
    const no = this.orderNumber(id);
    return no === null ? null : this.orderAt(no);
  };

  readonly line = (id: LineId): StatementLine | null => {
    const no = this.#lineNumbers.get(id);
    const known = no === undefined ? undefined : this.#lines.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.byName, { name: lineNode(id) });
    return row === undefined ? null : this.#readLine(row.no, row.body);
  };

  readonly transfer = (id: TransferId): Transfer | null => {
    const row = this.#sql.get(evidenceStatements.byName, { name: transferNode(id) });
    return row === undefined ? null : readTransfer(row.body);
  };

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

  readonly linesWithReference = (reference: string): readonly StatementLine[] =>
    this.#linesOf(EVIDENCE_TERMS.reference(reference)).filter((line) => line.references.includes(reference));

  readonly linesWithWord = (word: string): readonly StatementLine[] => this.#linesOf(EVIDENCE_TERMS.word(word));

  readonly linesOfDay = (key: string): readonly StatementLine[] => this.#linesOf(EVIDENCE_TERMS.day(key));

  readonly transfersWithHash = (key: string): readonly Transfer[] =>
    this.#evidenceOf(EVIDENCE_TERMS.hash(key)).flatMap((no) => {
      const row = this.#lines.has(no) ? undefined : this.#sql.get(evidenceStatements.byNo, { no });
      return row?.name.startsWith('transfer:') === true ? [readTransfer(row.body)] : [];
    });

  readonly decisionsOn = (node: NodeName): readonly MatchDecision[] => {
    // Mostly nobody has decided on anything, and this is asked of every node.
    this.#hasDecisions ??= this.#sql.get(evidenceStatements.anyDecision, {}) !== undefined;
    return this.#hasDecisions ? this.#decidedOn(node) : [];
  };

  #decidedOn(node: NodeName): readonly MatchDecision[] {
    return this.#sql
      .all(evidenceStatements.decisionsOn, { name: node })
      .flatMap(({ item_id }) => present(this.decision(item_id)));
  }

  decision(itemId: string): MatchDecision | null {
    const known = this.#decisions.get(itemId);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.decision, { item_id: itemId });
    if (row === undefined) return null;
    const decision = readDecision(row.body);
    this.#decisions.set(itemId, decision);
    return decision;
  }

  #addLine(line: StatementLine, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const name = lineNode(line.lineId);
    const known = this.#sql.get(evidenceStatements.byName, { name });
    if (known !== undefined) return this.#joinLine(known, line);
    this.#hasEvidence = null;
    const body = JSON.stringify(line);
    const { no } = this.#sql.one(evidenceStatements.insert, { name, body });
    this.#keepLine(no, line, body);
    for (const term of lineMatchTerms(line)) addTerm(term, evidenceRef(no));
    noteNew(name);
    return [name];
  }

  /** The file that brought a line first has it; another one may say less of whose its references are. */
  #joinLine({ no, body }: { readonly no: number; readonly body: string }, again: StatementLine): readonly NodeName[] {
    const line = readLine(body);
    const joined = joinedLine(line, again);
    if (joined === line) return [];
    // It may only have got a key by this: the terms that it is found by are all there.
    this.#sql.run(evidenceStatements.update, { no, body: JSON.stringify(joined) });
    this.#lines.delete(no);
    return [lineNode(line.lineId)];
  }

  #addTransfer(transfer: Transfer, addTerm: AddTerm, noteNew: NoteNew): readonly NodeName[] {
    const name = transferNode(transfer.transferId);
    const body = JSON.stringify(transfer);
    this.#sql.run(evidenceStatements.seeChain, { chain_id: String(transfer.chainId) });
    const known = this.#sql.get(evidenceStatements.byName, { name });
    if (known === undefined) {
      this.#hasEvidence = null;
      const { no } = this.#sql.one(evidenceStatements.insert, { name, body });
      for (const term of transferMatchTerms(transfer)) addTerm(term, evidenceRef(no));
      noteNew(name);
      return [name];
    }
    this.#sql.run(evidenceStatements.update, { no: known.no, body });
    return [name];
  }

  #decide(decision: MatchDecision): readonly NodeName[] {
    const touched = [...this.#takeBack(decision.itemId), ...decision.group, ...decision.apart];
    this.#decisions.delete(decision.itemId);
    this.#hasDecisions = null;
    this.#sql.run(evidenceStatements.decide, { item_id: decision.itemId, body: JSON.stringify(decision) });
    for (const name of [...decision.group, ...decision.apart]) {
      this.#sql.run(evidenceStatements.name, { name, item_id: decision.itemId });
    }
    return touched;
  }

  #takeBack(itemId: ItemId): readonly NodeName[] {
    const decision = this.decision(itemId);
    if (decision === null) return [];
    const names = [...decision.group, ...decision.apart];
    for (const name of names) this.#sql.run(evidenceStatements.unname, { name, item_id: itemId });
    this.#decisions.delete(itemId);
    this.#sql.run(evidenceStatements.takeBack, { item_id: itemId });
    return names;
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
    return this.#refsOf(term).flatMap((ref) => (ref % 2 === 0 ? present(this.orderAt(ref / 2)) : []));
  }

  /** Numbers of lines and transfers. */
  #evidenceOf(term: number): readonly number[] {
    // Most ledgers have none, and this is asked for each word and reference of every order.
    this.#hasEvidence ??= this.#sql.get(evidenceStatements.anyEvidence, {}) !== undefined;
    return this.#hasEvidence ? this.#refsOf(term).flatMap((ref) => (ref % 2 === 1 ? [(ref - 1) / 2] : [])) : [];
  }

  #linesOf(term: number): readonly StatementLine[] {
    return this.#evidenceOf(term).flatMap((no) => present(this.#lineAt(no)));
  }

  #lineAt(no: number): StatementLine | null {
    const known = this.#lines.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.byNo, { no });
    return row?.name.startsWith('line:') === true ? this.#readLine(no, row.body) : null;
  }

  #readLine(no: number, body: string): StatementLine {
    const line = readLine(body);
    this.#keepLine(no, line, body);
    return line;
  }

  #keepLine(no: number, line: StatementLine, body: string): void {
    if (body.length > KEPT_LINE) return;
    this.#lines.set(no, line);
    this.#lineNumbers.set(line.lineId, no);
  }
}

import type Database from 'better-sqlite3';
import { orderNode, type NodeName } from '../../../../projections/match/node.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { AwaitedOrder } from '../../loaded-orders.ts';
import type { MatchChange } from '../../match-change.ts';
import { TermIndex } from '../terms/term-index.ts';
import { TermSegment, type TermRun } from '../terms/term-segment.ts';
import { MatchEvidence } from './match-evidence.ts';
import { MatchTable } from './match-table.ts';

/** Evidence terms that are gathered before they make a run. */
const MOST_TERMS = 262_144;

/** Loads what the match is made of into empty tables: every order by itself first, then what belongs together. */
export class MatchLoad {
  readonly #evidence: MatchEvidence;
  readonly #table: MatchTable;
  readonly #terms: TermIndex;
  readonly #gathered = new TermSegment('match');
  readonly #items: TermIndex;
  readonly #itemTerms = new TermSegment('item');
  /** Claims and the numbers of their orders, in pairs. */
  readonly #claims: Float64Array[] = [];

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#terms = new TermIndex(database, 'match');
    this.#evidence = new MatchEvidence(database, calendar, this.#terms);
    this.#items = new TermIndex(database, 'item');
    this.#table = new MatchTable(database, this.#evidence, settings, calendar, (term, no) => {
      this.#itemTerms.add(term, no, no);
      if (this.#itemTerms.size >= MOST_TERMS) this.#items.addRun(this.#itemTerms.take());
    });
  }

  addAwaited(orders: readonly (readonly [no: number, awaited: AwaitedOrder])[]): void {
    this.#table.putAwaited(orders);
  }

  /** Adds, in pairs, digests of what no other order may claim, and the number of the order that does. */
  addClaims(claims: Float64Array): void {
    this.#claims.push(claims);
  }

  /** Takes in what bank files, transfers and decisions say. What was brought is forgotten as soon as the index has it. */
  add(changes: Iterable<MatchChange>): void {
    const rest = changes[Symbol.iterator]();
    while (this.#evidence.steady(() => this.#addSome(rest))) {
      this.#terms.addRun(this.#gathered.take());
      this.#evidence.forget();
    }
  }

  /** Takes in as many as make a run; whether more may be left. */
  #addSome(changes: Iterator<MatchChange>): boolean {
    for (let next = changes.next(); next.done !== true; next = changes.next()) {
      this.#evidence.apply(
        next.value,
        (term, ref) => this.#gathered.add(term, ref, ref),
        () => undefined,
      );
      if (this.#gathered.size >= MOST_TERMS) return true;
    }
    return false;
  }

  addRun(run: TermRun): void {
    this.#terms.addRun(run);
  }

  /** Finds what belongs together, now that orders, evidence and their terms are all there. */
  finish(): void {
    this.#terms.addRun(this.#gathered.take());
    this.#evidence.forget();
    this.#table.updateAll(this.#touched());
    this.#items.addRun(this.#itemTerms.take());
  }

  *#touched(): Generator<NodeName, void> {
    yield* this.#evidence.all();
    for (const no of this.#claimedTwice()) {
      const order = this.#evidence.orderAt(no);
      if (order !== null) yield orderNode(order.orderId);
    }
  }

  /** Of all orders that claim one thing, which only one may. */
  *#claimedTwice(): Generator<number, void> {
    const digests = new Float64Array(this.#claims.reduce((size, claims) => size + claims.length / 2, 0));
    let filled = 0;
    for (const claims of this.#claims) for (let i = 0; i < claims.length; i += 2) digests[filled++] = claims[i] ?? 0;
    digests.sort();
    const twice = new Set<number>();
    for (let i = 1; i < digests.length; i += 1) if (digests[i] === digests[i - 1]) twice.add(digests[i] ?? 0);
    if (twice.size === 0) return;
    for (const claims of this.#claims) {
      for (let i = 0; i < claims.length; i += 2) if (twice.has(claims[i] ?? 0)) yield claims[i + 1] ?? 0;
    }
  }
}

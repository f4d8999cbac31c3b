import type Database from 'better-sqlite3';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchSettings } from '../../domain/match-settings.ts';
import { orderNode, type NodeName } from '../../../projections/match/node.ts';
import type { Calendar } from '../../domain/business-day.ts';
import type { MatchChange } from '../match-change.ts';
import { MatchEvidence } from './match-evidence.ts';
import { MatchTable } from './match-table.ts';
import { termOf } from './term.ts';
import { TermIndex } from './term-index.ts';
import { TermSegment, type TermRun } from './term-segment.ts';

/** What the match takes of an order that is loaded. */
type LoadedOrder = {
  readonly no: number;
  readonly alone: MatchItem | null;
  /** Digests of what no other order may claim. */
  readonly claims: readonly number[];
};

/** Evidence terms that are gathered before they make a run. */
const MOST_TERMS = 262_144;

/** Loads what the match is made of into empty tables: every order by itself first, then what belongs together. */
export class MatchLoad {
  readonly #evidence: MatchEvidence;
  readonly #table: MatchTable;
  readonly #terms: TermIndex;
  readonly #gathered = new TermSegment('match');
  /** Claims and the numbers of their orders, in pairs. */
  readonly #claims: [claim: number, no: number][] = [];

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#terms = new TermIndex(database, 'match');
    this.#evidence = new MatchEvidence(database, calendar, this.#terms);
    this.#table = new MatchTable(database, this.#evidence, settings, calendar);
  }

  addOrder({ no, alone, claims }: LoadedOrder): void {
    if (alone !== null) this.#table.putAwaited(no, alone);
    for (const claim of claims) this.#claims.push([claim, no]);
  }

  add(change: MatchChange): void {
    this.#evidence.apply(change, (term, ref) => this.#gathered.add(termOf(term), ref, ref));
    if (this.#gathered.size >= MOST_TERMS) this.#terms.addRun(this.#gathered.take());
  }

  addRun(run: TermRun): void {
    this.#terms.addRun(run);
  }

  /** Finds what belongs together, now that orders, evidence and their terms are all there. */
  finish(): void {
    this.#terms.addRun(this.#gathered.take());
    this.#table.update(this.#touched());
  }

  *#touched(): Generator<NodeName, void> {
    yield* this.#evidence.all();
    this.#claims.sort(([a], [b]) => a - b);
    for (const [i, [claim, no]] of this.#claims.entries()) {
      const order = this.#claims[i + 1]?.[0] === claim ? this.#evidence.orderAt(no) : null;
      if (order !== null) yield orderNode(order.orderId);
    }
  }
}

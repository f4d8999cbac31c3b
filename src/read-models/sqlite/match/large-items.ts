import { nodeOf, type NodeName } from '../../../../projections/match/node.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { neighbourTerms } from '../../match-terms.ts';
import { evidenceStatements, itemStatements, largeStatements } from '../../statements/match-statements.ts';
import type { MatchEvidence } from './match-evidence.ts';
import { evidenceRef, isOrderRef, numberOfRef, orderRef } from './match-refs.ts';

/** Of what a term leads to, so much is looked at: what is equal in all that it is found by is mostly in one item. */
const LOOKED_AT = 16;

/**
 * Items of many members, and what waits until they are made anew. An item is always made of all that is in it, so each
 * thing that came to a large one would cost as much as all before it. What may belong to one waits, and all that waits goes in at
 * once, behind what else there is to do. Where something is not seen to belong to one, nothing waits and nothing is wrong:
 * it only costs more.
 */
export class LargeItems {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #settings: MatchSettings;
  readonly #members: number;

  /** @param members items of more than so many are large */
  constructor(sql: SqliteStatements, evidence: MatchEvidence, settings: MatchSettings, members: number) {
    this.#sql = sql;
    this.#evidence = evidence;
    this.#settings = settings;
    this.#members = members;
  }

  /** Notes a row, if its item is large. */
  notePut(item: number, members: number): void {
    if (members > this.#members) this.#sql.run(largeStatements.put, { item });
  }

  /** Notes that a row is gone, of however many members: it may have been large when fewer were enough. */
  noteRemoved(item: number): void {
    this.#sql.run(largeStatements.remove, { item });
  }

  /**
   * Lets wait what may belong to a large item.
   *
   * @param position whoever asks for what includes this position is told that something waits
   * @returns what is to be looked at now
   */
  *letWait(touched: Iterable<NodeName>, position: number): Generator<NodeName, void> {
    const large = new Set(this.#sql.all(largeStatements.all, {}).map(({ item }) => item));
    if (large.size === 0) {
      yield* touched;
      return;
    }
    for (const name of touched) {
      const ref = this.#refOf(name);
      if (ref !== null && this.#mayBeIn(large, name, ref)) this.#sql.run(largeStatements.wait, { ref, position });
      else yield name;
    }
  }

  /** What waits, in no order; from now on it no longer does. Null: nothing waits. */
  takeWaiting(): readonly NodeName[] | null {
    if (this.#sql.one(largeStatements.firstWaiting, {}).nodes === 0) return null;
    const names = waitingNodes(this.#sql, this.#evidence);
    this.#sql.run(largeStatements.goOn, {});
    return names;
  }

  #refOf(name: NodeName): number | null {
    const node = nodeOf(name);
    const isOrder = node.kind === 'order';
    const no = isOrder ? this.#evidence.orderNumber(node.id) : this.#evidence.evidenceNumber(name);
    return no === null ? null : isOrder ? orderRef(no) : evidenceRef(no);
  }

  #mayBeIn(large: ReadonlySet<number>, name: NodeName, ref: number): boolean {
    const isIn = (its: number): boolean => {
      const no = numberOfRef(its);
      const row = isOrderRef(its)
        ? this.#sql.get(itemStatements.itemOf, { no })
        : this.#sql.get(evidenceStatements.itemOf, { no });
      return row?.item !== undefined && row.item !== null && large.has(row.item);
    };
    return isIn(ref) || this.#termsOf(name).some((term) => this.#evidence.someRefs(term, LOOKED_AT).some(isIn));
  }

  #termsOf(name: NodeName): readonly number[] {
    const node = nodeOf(name);
    const { order, line, transfer } = {
      order: node.kind === 'order' ? this.#evidence.order(node.id) : null,
      line: node.kind === 'line' ? this.#evidence.line(node.id) : null,
      transfer: node.kind === 'transfer' ? this.#evidence.transfer(node.id) : null,
    };
    return neighbourTerms({ order, line, transfer }, this.#settings);
  }
}

/** What waits for large items to be made anew. */
export const waitingNodes = (sql: SqliteStatements, evidence: MatchEvidence): readonly NodeName[] =>
  sql.all(largeStatements.waiting, {}).flatMap(({ ref }) => evidence.nameOfRef(ref) ?? []);

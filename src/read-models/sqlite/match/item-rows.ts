import * as t from 'io-ts';
import type { MatchItem } from '../../../../projections/match/match-item.ts';
import { nodeOf, type NodeName } from '../../../../projections/match/node.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { evidenceStatements, itemStatements } from '../../statements/match-statements.ts';
import { readArray } from '../../stored-array.ts';
import { readItem } from '../../stored-match.ts';
import type { MatchEvidence } from './match-evidence.ts';

const Numbers = t.readonlyArray(t.number);

const isOrder = (name: NodeName): boolean => nodeOf(name).kind === 'order';

/** Rows of items by their numbers, and which of them each order, line and transfer is in. */
export class ItemRows {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;

  constructor(sql: SqliteStatements, evidence: MatchEvidence) {
    this.#sql = sql;
    this.#evidence = evidence;
  }

  /**
   * The item of a row; null where there is none. Its lines and transfers are known by their numbers then: a page of items
   * need not search for them.
   *
   * @param itemId the one that the row is asked for; left out: whichever it has
   */
  at(no: number, itemId?: string): MatchItem | null {
    const row = this.#sql.get(itemStatements.get, { no });
    if (row === undefined || (itemId !== undefined && row.item_id !== itemId)) return null;
    const item = readItem(row.body);
    const numbers = readArray(row.evidence);
    if (Numbers.is(numbers)) this.#evidence.noteNumbers(evidenceOf(item), numbers);
    return item;
  }

  /** Puts an item, and all that is in it there; answers the number of its row. */
  put(item: MatchItem, list: number): number {
    const { itemId: item_id, day, members } = item;
    const { no } = this.#sql.one(itemStatements.put, {
      item_id,
      day,
      list,
      evidence: this.evidenceText(item),
      body: JSON.stringify(item),
    });
    for (const name of members) this.#place(name, no);
    return no;
  }

  /** Takes the item of a row out of it, and all that is in it. */
  remove(no: number): MatchItem | null {
    const item = this.at(no);
    if (item === null) return null;
    this.#sql.run(itemStatements.remove, { no });
    for (const name of item.members) this.#displace(name);
    return item;
  }

  /** The row that something is in; null where it is in none, or there is nothing of this name. */
  rowWith(name: NodeName): number | null {
    const no = this.#numberOf(name);
    if (no === null) return null;
    const place = isOrder(name)
      ? this.#sql.get(itemStatements.itemOf, { no })
      : this.#sql.get(evidenceStatements.itemOf, { no });
    return place?.item ?? null;
  }

  /** The numbers of the lines and transfers of an item, as its row has them. */
  evidenceText(item: MatchItem): string {
    return JSON.stringify(evidenceOf(item).map((name) => this.#evidence.evidenceNumber(name)));
  }

  #place(name: NodeName, item: number): void {
    const no = this.#numberOf(name);
    if (no === null) return;
    if (isOrder(name)) this.#sql.run(itemStatements.place, { no, item });
    else this.#sql.run(evidenceStatements.place, { no, item });
  }

  #displace(name: NodeName): void {
    const no = this.#numberOf(name);
    if (no === null) return;
    if (isOrder(name)) this.#sql.run(itemStatements.displace, { no });
    else this.#sql.run(evidenceStatements.place, { no, item: null });
  }

  #numberOf(name: NodeName): number | null {
    const node = nodeOf(name);
    return node.kind === 'order' ? this.#evidence.orderNumber(node.id) : this.#evidence.evidenceNumber(name);
  }
}

const evidenceOf = ({ members }: MatchItem): readonly NodeName[] => members.filter((name) => !isOrder(name));

import { nodeOf, type NodeName } from '../../../projections/match/node.ts';
import type { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { evidenceStatements, itemStatements } from '../statements/match-statements.ts';
import type { MatchEvidence } from './match-evidence.ts';

/** Which item's row each order, line and transfer is in, by the number of that row. */
export class ItemPlaces {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;

  constructor(sql: SqliteStatements, evidence: MatchEvidence) {
    this.#sql = sql;
    this.#evidence = evidence;
  }

  /** Null where it is in none, or there is nothing of this name. */
  itemWith(name: NodeName): number | null {
    const no = this.#numberOf(name);
    if (no === null) return null;
    const place = isOrder(name)
      ? this.#sql.get(itemStatements.itemOf, { no })
      : this.#sql.get(evidenceStatements.itemOf, { no });
    return place?.item ?? null;
  }

  place(name: NodeName, item: number): void {
    const no = this.#numberOf(name);
    if (no === null) return;
    if (isOrder(name)) this.#sql.run(itemStatements.place, { no, item });
    else this.#sql.run(evidenceStatements.place, { no, item });
  }

  displace(name: NodeName): void {
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

const isOrder = (name: NodeName): boolean => nodeOf(name).kind === 'order';

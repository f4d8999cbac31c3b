import type { Decimal } from '../../../domain/decimal.ts';
import { parseExact, plainText, plus, ZERO, type Exact } from '../../../domain/exact.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { itemStatements } from '../../statements/match-statements.ts';

type CellChange = { readonly cls: number; readonly day: string; items: number; fiat: Exact };

/** How many items there are of a class and day, and what they come to: changes are gathered, and written together. */
export class MatchCells {
  readonly #sql: SqliteStatements;
  readonly #changes = new Map<string, CellChange>();

  constructor(sql: SqliteStatements) {
    this.#sql = sql;
  }

  /** Adds items; both numbers are negative where they are taken out. */
  count(cls: number, day: string, items: number, fiat: Exact): void {
    const key = `${cls} ${day}`;
    const known = this.#changes.get(key);
    if (known === undefined) this.#changes.set(key, { cls, day, items, fiat });
    else {
      known.items += items;
      known.fiat = plus(known.fiat, fiat);
    }
  }

  /** Writes what was gathered. It belongs into the transaction of the items. */
  write(): void {
    for (const { cls, day, items, fiat } of this.#changes.values()) {
      const place = { class: cls, day };
      const stored = this.#sql.get(itemStatements.cell, place);
      const count = items + (stored?.items ?? 0);
      if (count === 0) {
        this.#sql.run(itemStatements.removeCell, place);
        continue;
      }
      const sum: Decimal = plainText(plus(fiat, stored === undefined ? ZERO : (parseExact(stored.fiat) ?? ZERO)));
      this.#sql.run(itemStatements.addCell, { ...place, items: count, fiat: sum });
    }
    this.#changes.clear();
  }

  /** What was gathered is not to be written. */
  forget(): void {
    this.#changes.clear();
  }
}

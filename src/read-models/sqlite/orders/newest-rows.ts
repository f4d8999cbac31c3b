import type { ListedRow, RowSource } from '../../newest-first.ts';

/** Rows that are kept of all classes together, some 200 bytes each. */
const MOST_KEPT = 20_000;

/** The first rows of a class, or all of them. */
type Kept = { readonly rows: readonly ListedRow[]; readonly areAll: boolean };

const isEnough = ({ rows, areAll }: Kept, most: number): boolean => areAll || rows.length >= most;

/**
 * The newest orders of classes, kept as they were read as long as the read models are in one state: lists of many kinds
 * begin with the same ones, some tens of them between two batches.
 */
export class NewestRows {
  readonly #kept = new Map<number, Kept>();
  readonly #most: number;
  #state: object | null = null;
  #rows = 0;

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /**
   * The rows of a class, the first of them from memory where they are there.
   *
   * @param state one and the same object exactly as long as nothing has changed
   */
  of(state: object, facet: number, source: RowSource): RowSource {
    return (after, most) => {
      if (after !== null) return source(after, most);
      if (this.#state !== state) this.#forget(state);
      const kept = this.#kept.get(facet);
      if (kept !== undefined && isEnough(kept, most)) return kept.rows.slice(0, most);
      const rows = source(null, most);
      this.#keep(facet, { rows, areAll: rows.length < most });
      return rows;
    };
  }

  /** Whether so many rows of a class, or all of them, are there. */
  has(state: object, facet: number, most: number): boolean {
    const kept = this.#state === state ? this.#kept.get(facet) : undefined;
    return kept !== undefined && isEnough(kept, most);
  }

  #keep(facet: number, kept: Kept): void {
    const rows = this.#rows - (this.#kept.get(facet)?.rows.length ?? 0) + kept.rows.length;
    if (rows > this.#most) return;
    this.#rows = rows;
    this.#kept.set(facet, kept);
  }

  #forget(state: object): void {
    this.#kept.clear();
    this.#rows = 0;
    this.#state = state;
  }
}

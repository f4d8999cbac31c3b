import { facetKey, measuresEq, measuresGroup, type Cell } from '../../projections/report/index.ts';

/** Sums of cells of equal class, basis and day; `-1` takes out what was added, or never was. */
export class DayCells {
  readonly #cells = new Map<string, Cell>();

  constructor(cells: readonly Cell[] = []) {
    this.add(cells, 1);
  }

  add(cells: readonly Cell[], sign: 1 | -1): void {
    // Cells behind each other are often of one order, and share its facet.
    let [facet, of]: [Cell['facet'] | null, string] = [null, ''];
    for (const cell of cells) {
      if (cell.facet !== facet) [facet, of] = [cell.facet, facetKey(cell.facet)];
      const key = `${cell.basis} ${cell.day} ${of}`;
      const known = this.#cells.get(key);
      const measures = sign === 1 ? cell.measures : measuresGroup.inverse(cell.measures);
      this.#cells.set(key, {
        ...cell,
        measures: known === undefined ? measures : measuresGroup.concat(known.measures, measures),
      });
    }
  }

  /** Those that come to something. */
  cells(): readonly Cell[] {
    return [...this.#cells.values()].filter(({ measures }) => !measuresEq.equals(measures, measuresGroup.empty));
  }
}

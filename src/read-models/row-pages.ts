/** Before every row that has a number. */
const BEFORE_ALL = -Infinity;

/**
 * Rows of a table page by page, in the order of their numbers. That the numbers which are read grow is not taken on trust:
 * rows that say other numbers than those they are found by, as some too large for JavaScript do, would begin again for ever.
 * Those end with an error.
 *
 * @param read the next rows behind a number; none: there are no more
 */
export function* rowPages<Row>(
  read: (behind: number) => readonly Row[],
  numberOf: (row: Row) => number,
): Generator<readonly Row[], void> {
  for (let behind = BEFORE_ALL; ;) {
    const rows = read(behind);
    const last = rows.at(-1);
    if (last === undefined) return;
    const next = numberOf(last);
    if (!(next > behind)) throw new Error(`rows of the read models go back behind ${behind}; run "ramp-ledger replay"`);
    yield rows;
    behind = next;
  }
}

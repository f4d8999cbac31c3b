/**
 * Rows in the order of their table's key, nearly: a row that goes to the end of the table takes half of what one takes that
 * goes anywhere in it. Sorting by what the key begins with alone costs a third of what that spares.
 *
 * @param beginning a text of all of the key but its last number, which sorts like it
 * @param last the last number of the key
 */
export function* inKeyOrder<Row>(
  rows: Iterable<Row>,
  beginning: (row: Row) => string,
  last: (row: Row) => number,
): Generator<Row, void> {
  const byBeginning = new Map<string, Row[]>();
  for (const row of rows) {
    const key = beginning(row);
    const known = byBeginning.get(key);
    if (known === undefined) byBeginning.set(key, [row]);
    else known.push(row);
  }
  for (const key of [...byBeginning.keys()].sort())
    yield* (byBeginning.get(key) ?? []).sort((a, b) => last(a) - last(b));
}

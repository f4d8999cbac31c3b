import TinyQueue from 'tinyqueue';
import type { Mark } from './audit-chunk.ts';

/** Marks of a build in the order of their positions, in columns: a million of them take 18 MB. */
export type LoadedMarks = {
  readonly positions: Float64Array;
  /** NaN where an event's metadata is damaged. */
  readonly received: Float64Array;
  /** Indexes of `names`. */
  readonly types: Uint16Array;
  readonly names: readonly string[];
};

/** The columns of some marks, in any order. */
export const loadedMarks = (marks: readonly Mark[]): LoadedMarks => {
  const sorted = marks.toSorted((a, b) => a.position - b.position);
  const names = [...new Set(sorted.map(({ type }) => type))];
  return {
    positions: Float64Array.from(sorted, ({ position }) => position),
    received: Float64Array.from(sorted, ({ received }) => received),
    types: Uint16Array.from(sorted, ({ type }) => names.indexOf(type)),
    names,
  };
};

/** Where the merging of some marks is. */
type Cursor = { readonly marks: LoadedMarks; at: number; position: number };

/** All marks in the order of their positions: streams go on for any time, so marks of any two parts may lie between each other. */
export function* mergedMarks(all: readonly LoadedMarks[]): Generator<Mark, void> {
  const cursors = all.flatMap((marks): Cursor[] => {
    const [position] = marks.positions;
    return position === undefined ? [] : [{ marks, at: 0, position }];
  });
  const queue = new TinyQueue(cursors, (a, b) => a.position - b.position);
  for (let cursor = queue.pop(); cursor !== undefined; cursor = queue.pop()) {
    const { positions, received, types, names } = cursor.marks;
    const until = queue.peek()?.position ?? Infinity;
    let position: number | undefined = cursor.position;
    while (position !== undefined && position <= until) {
      yield { position, received: received[cursor.at] ?? NaN, type: names[types[cursor.at] ?? 0] ?? '' };
      cursor.at += 1;
      position = positions[cursor.at];
    }
    if (position !== undefined) {
      cursor.position = position;
      queue.push(cursor);
    }
  }
}

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

/** Beyond it not every whole number is a double. */
const MOST_EXACT = Number.MAX_SAFE_INTEGER;

/** The places of positions in their order. */
const inOrder = (positions: readonly number[]): Float64Array => {
  const count = positions.length;
  let [least, greatest] = [Infinity, 0];
  for (const position of positions) {
    if (position < least) least = position;
    if (position > greatest) greatest = position;
  }
  if ((greatest - least + 1) * count > MOST_EXACT) {
    return Float64Array.from(positions.keys()).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0));
  }
  // Position and place as one number: numbers that are compared with nothing else are sorted ten times as fast.
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place += 1) keys[place] = ((positions[place] ?? 0) - least) * count + place;
  keys.sort();
  for (let i = 0; i < count; i += 1) keys[i] = (keys[i] ?? 0) % count;
  return keys;
};

/** Gathers marks, in any order. */
export class MarkLoad {
  readonly #positions: number[] = [];
  readonly #received: number[] = [];
  readonly #types: number[] = [];
  readonly #names = new Map<string, number>();

  /** How many there are. */
  get size(): number {
    return this.#positions.length;
  }

  add({ position, received, type }: Mark): void {
    const known = this.#names.get(type);
    const index = known ?? this.#names.size;
    if (known === undefined) this.#names.set(type, index);
    this.#positions.push(position);
    this.#received.push(received);
    this.#types.push(index);
  }

  /** What was gathered, in the order of positions. */
  loaded(): LoadedMarks {
    const order = inOrder(this.#positions);
    const [positions, received] = [new Float64Array(order.length), new Float64Array(order.length)];
    const types = new Uint16Array(order.length);
    for (let i = 0; i < order.length; i += 1) {
      const place = order[i] ?? 0;
      positions[i] = this.#positions[place] ?? 0;
      received[i] = this.#received[place] ?? NaN;
      types[i] = this.#types[place] ?? 0;
    }
    return { positions, received, types, names: [...this.#names.keys()] };
  }
}

/** Where the merging of some marks is. */
type Cursor = { readonly marks: LoadedMarks; at: number; position: number };

/** Positions that follow each other, nearly, are laid out one by one: so many of them for each mark at the most. */
const SPARSEST = 2;

/** Marks laid out by their positions; null where these are too far from each other, or one comes twice. */
const laidOut = (all: readonly LoadedMarks[]): Iterable<Mark> | null => {
  let [count, least, greatest] = [0, Infinity, -1];
  for (const { positions } of all) {
    count += positions.length;
    least = Math.min(least, positions[0] ?? Infinity);
    greatest = Math.max(greatest, positions.at(-1) ?? -1);
  }
  const places = greatest - least + 1;
  if (count === 0 || places > count * SPARSEST) return null;
  const [names, texts] = [new Map<string, number>(), ['']];
  const received = new Float64Array(places);
  /** Indexes of the texts; 0 where there is no mark. */
  const types = new Uint32Array(places);
  for (const marks of all) {
    const ofPart = marks.names.map((name) => {
      const known = names.get(name) ?? texts.push(name) - 1;
      names.set(name, known);
      return known;
    });
    for (let i = 0; i < marks.positions.length; i += 1) {
      const place = (marks.positions[i] ?? 0) - least;
      if (types[place] !== 0) return null;
      types[place] = ofPart[marks.types[i] ?? 0] ?? 0;
      received[place] = marks.received[i] ?? NaN;
    }
  }
  return eachLaidOut(least, received, types, texts);
};

function* eachLaidOut(
  least: number,
  received: Float64Array,
  types: Uint32Array,
  texts: readonly string[],
): Generator<Mark, void> {
  for (let place = 0; place < types.length; place += 1) {
    const type = types[place] ?? 0;
    if (type !== 0) yield { position: least + place, received: received[place] ?? NaN, type: texts[type] ?? '' };
  }
}

/** All marks in the order of their positions: streams go on for any time, so marks of any two parts may lie between each other. */
export const mergedMarks = (all: readonly LoadedMarks[]): Iterable<Mark> => laidOut(all) ?? merged(all);

/** The same of positions that are bytes of a log, one mark after the other. */
function* merged(all: readonly LoadedMarks[]): Generator<Mark, void> {
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

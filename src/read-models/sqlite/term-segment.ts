/** Numbers of one entry: term, rank, reference. */
const WIDTH = 3;

/** Entries of one block, about 12 KB. */
const ENTRIES_OF_A_BLOCK = 512;

/** A run of entries sorted by term and rank. */
export type TermBlock = { readonly firstTerm: number; readonly firstRank: number; readonly entries: Uint8Array };

const DIGITS = 65_536;
const HIGH = 0x1_0000_0000;

/** The order of entries by one 16-bit digit of their terms, from an order by the digits below it: a pass of a radix sort. */
const byDigit = (digits: Uint16Array, order: Uint32Array): Uint32Array => {
  const starts = new Uint32Array(DIGITS + 1);
  for (const digit of digits) starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
  for (let digit = 0; digit < DIGITS; digit += 1) starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
  const sorted = new Uint32Array(order.length);
  for (const entry of order) {
    const digit = digits[entry] ?? 0;
    const place = starts[digit] ?? 0;
    sorted[place] = entry;
    starts[digit] = place + 1;
  }
  return sorted;
};

/** The 16-bit digits of the terms, the lowest first. */
const digitsOf = (entries: Float64Array): readonly Uint16Array[] => {
  const count = entries.length / WIDTH;
  const [low, middle, high] = [new Uint16Array(count), new Uint16Array(count), new Uint16Array(count)];
  for (let entry = 0; entry < count; entry += 1) {
    const term = entries[entry * WIDTH] ?? 0;
    const upper = Math.floor(term / HIGH);
    const lower = (term - upper * HIGH) >>> 0;
    low[entry] = lower;
    middle[entry] = lower >>> 16;
    high[entry] = upper;
  }
  return [low, middle, high];
};

/** Entries of one term are few, or came nearly sorted: they are put in the order of their ranks where they are not. */
const sortRuns = (entries: Float64Array, order: Uint32Array): void => {
  const term = (place: number): number => entries[(order[place] ?? 0) * WIDTH] ?? 0;
  const rank = (entry: number): number => entries[entry * WIDTH + 1] ?? 0;
  for (let from = 0; from < order.length;) {
    let until = from + 1;
    while (until < order.length && term(until) === term(from)) until += 1;
    if (until - from > 1) order.subarray(from, until).sort((a, b) => rank(a) - rank(b));
    from = until;
  }
};

/** Gathers entries of a bulk load, and gives them back as one sorted segment. */
export class TermSegment {
  #entries = new Float64Array(4_096 * WIDTH);
  #used = 0;

  get size(): number {
    return this.#used / WIDTH;
  }

  add(term: number, rank: number, ref: number): void {
    if (this.#used === this.#entries.length) {
      const larger = new Float64Array(this.#entries.length * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries[this.#used] = term;
    this.#entries[this.#used + 1] = rank;
    this.#entries[this.#used + 2] = ref;
    this.#used += WIDTH;
  }

  /** What was gathered so far, sorted; nothing is left behind. */
  take(): readonly TermBlock[] {
    const entries = this.#entries.subarray(0, this.#used);
    let order: Uint32Array = new Uint32Array(this.size);
    for (let entry = 0; entry < order.length; entry += 1) order[entry] = entry;
    for (const digits of digitsOf(entries)) order = byDigit(digits, order);
    sortRuns(entries, order);
    const blocks: TermBlock[] = [];
    for (let from = 0; from < order.length; from += ENTRIES_OF_A_BLOCK) {
      const places = order.subarray(from, from + ENTRIES_OF_A_BLOCK);
      const block = new Float64Array(places.length * WIDTH);
      let to = 0;
      for (const entry of places) {
        for (let part = 0; part < WIDTH; part += 1) block[to + part] = entries[entry * WIDTH + part] ?? 0;
        to += WIDTH;
      }
      blocks.push({ firstTerm: block[0] ?? 0, firstRank: block[1] ?? 0, entries: new Uint8Array(block.buffer) });
    }
    this.#used = 0;
    return blocks;
  }
}

/** The entries of one term in a block, from a rank on. */
export function* entriesIn(
  block: Uint8Array,
  term: number,
  fromRank: number,
): Generator<{ readonly rank: number; readonly ref: number }> {
  // A copy, since what a database gives back begins anywhere in its buffer.
  const numbers = new Float64Array(new Uint8Array(block).buffer);
  let [low, high] = [0, numbers.length / WIDTH];
  const isBefore = (entry: number): boolean => {
    const [itsTerm, itsRank] = [numbers[entry * WIDTH] ?? 0, numbers[entry * WIDTH + 1] ?? 0];
    return itsTerm < term || (itsTerm === term && itsRank < fromRank);
  };
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  for (let entry = low; entry < numbers.length / WIDTH && numbers[entry * WIDTH] === term; entry += 1) {
    yield { rank: numbers[entry * WIDTH + 1] ?? 0, ref: numbers[entry * WIDTH + 2] ?? 0 };
  }
}

/** Every entry of a block. */
export function* allEntries(block: Uint8Array): Generator<{ readonly term: number; readonly ref: number }> {
  const numbers = new Float64Array(new Uint8Array(block).buffer);
  for (let at = 0; at < numbers.length; at += WIDTH) yield { term: numbers[at] ?? 0, ref: numbers[at + 2] ?? 0 };
}

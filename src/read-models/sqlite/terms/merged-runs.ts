import type { TermEntries } from './term-entries.ts';
import { BLOCK_BYTES } from './term-segment.ts';

/** A block of sorted entries, and what its first one is found by. */
type MergedBlock = { readonly term: number; readonly rank: number; readonly entries: Uint8Array };

/** Behind every term: a run that has no more entries. */
const NO_TERM = Infinity;

/** Where each of several runs is read, entry by entry. */
class Cursors {
  /** What the entry that comes next in each run is found by. */
  readonly #terms: Float64Array;
  readonly #ranks: Float64Array;
  readonly #blocks: Uint8Array[] = [];
  readonly #places: Uint32Array;
  readonly #runs: readonly Iterator<Uint8Array>[];
  readonly #layout: TermEntries;

  constructor(layout: TermEntries, runs: readonly Iterator<Uint8Array>[]) {
    this.#layout = layout;
    this.#runs = runs;
    this.#terms = new Float64Array(runs.length);
    this.#ranks = new Float64Array(runs.length);
    this.#places = new Uint32Array(runs.length);
    for (const run of runs.keys()) this.#readBlock(run);
  }

  /** The run whose next entry is the least, the first of those that have an equal one; null where all are read. */
  least(): number | null {
    const [terms, ranks] = [this.#terms, this.#ranks];
    let [least, term, rank] = [0, terms[0] ?? NO_TERM, ranks[0] ?? 0];
    for (let run = 1; run < terms.length; run += 1) {
      const its = terms[run] ?? NO_TERM;
      if (its > term || (its === term && (ranks[run] ?? 0) >= rank)) continue;
      [least, term, rank] = [run, its, ranks[run] ?? 0];
    }
    return term === NO_TERM ? null : least;
  }

  termOf(run: number): number {
    return this.#terms[run] ?? NO_TERM;
  }

  rankOf(run: number): number {
    return this.#ranks[run] ?? 0;
  }

  /** Copies the next entry of a run, and goes on to the one behind it. */
  take(run: number, to: Uint8Array, at: number): void {
    const [entries, width] = [this.#blocks[run], this.#layout.width];
    if (entries === undefined) return;
    const from = this.#places[run] ?? 0;
    for (let i = 0; i < width; i += 1) to[at + i] = entries[from + i] ?? 0;
    this.#places[run] = from + width;
    this.#look(run, entries);
  }

  #look(run: number, entries: Uint8Array): void {
    const at = this.#places[run] ?? 0;
    if (at >= entries.length) {
      this.#readBlock(run);
      return;
    }
    this.#terms[run] = this.#layout.termAt(entries, at);
    this.#ranks[run] = this.#layout.rankAt(entries, at);
  }

  #readBlock(run: number): void {
    const next = this.#runs[run]?.next();
    this.#places[run] = 0;
    if (next === undefined || next.done === true) {
      this.#blocks[run] = new Uint8Array();
      this.#terms[run] = NO_TERM;
      return;
    }
    this.#blocks[run] = next.value;
    this.#look(run, next.value);
  }
}

/**
 * The entries of several sorted runs as those of one, block by block: however large the runs are, a block of each is in
 * memory.
 *
 * @param runs the blocks of each, in their order
 */
export function* mergedRuns(layout: TermEntries, runs: readonly Iterator<Uint8Array>[]): Generator<MergedBlock, void> {
  const { width } = layout;
  const blockBytes = Math.floor(BLOCK_BYTES / width) * width;
  const cursors = new Cursors(layout, runs);
  for (let run = cursors.least(); run !== null;) {
    const [term, rank] = [cursors.termOf(run), cursors.rankOf(run)];
    const entries = new Uint8Array(blockBytes);
    let used = 0;
    for (; used < blockBytes && run !== null; used += width) {
      cursors.take(run, entries, used);
      run = cursors.least();
    }
    yield { term, rank, entries: entries.subarray(0, used) };
  }
}

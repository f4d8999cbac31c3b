/** Lines of a log that nobody can read. `since`: when the first of them was lost, as lines have the time. */
export type LostLines = { readonly lines: number; readonly since: string };

const LINE_FEED = 0x0a;

/** How many lines end in some bytes. */
export const linesIn = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
};

/** Counts lines that are lost: all of them, and those that the log itself has not told of yet. */
export class LostLineCount {
  readonly #now: () => string;
  #total = 0;
  #untold: LostLines | null = null;

  /** @param now the time as lines have it */
  constructor(now: () => string) {
    this.#now = now;
  }

  /** Of the whole process so far. */
  get total(): number {
    return this.#total;
  }

  lose(lines: number): void {
    if (lines === 0) return;
    this.#total += lines;
    this.#untold = { lines: lines + (this.#untold?.lines ?? 0), since: this.#untold?.since ?? this.#now() };
  }

  /** What is to be told now; null: nothing. Whoever takes it tells it, or puts it back. */
  take(): LostLines | null {
    const untold = this.#untold;
    this.#untold = null;
    return untold;
  }

  /** The line that told it was lost itself. */
  putBack({ lines, since }: LostLines): void {
    this.#untold = { lines: lines + (this.#untold?.lines ?? 0), since };
  }
}

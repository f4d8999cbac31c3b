/**
 * A quote that is escaped in a URL (any number of times), in JSON or in source code, or one as it is printed. Such a one ends no
 * word: `x%22y` is a local part too.
 */
const SPELLED = /%(?:25)*22|\\u0022|\\x22|[\u201C\u201D\u201E\u201F]/gu;

/** Printed ones differ at the two ends of what they quote. */
const PRINTED = /^[\u201C\u201D\u201E\u201F]$/u;

type Quote = {
  readonly from: number;
  readonly to: number;
  /** Where the one before it of its spelling begins; -1: there is none. */
  readonly partner: number;
};

const quotesIn = (text: string): readonly Quote[] => {
  const last = new Map<string, number>();
  const found: Quote[] = [];
  SPELLED.lastIndex = 0;
  for (let match = SPELLED.exec(text); match !== null; match = SPELLED.exec(text)) {
    const [spelling] = match;
    const kind = PRINTED.test(spelling) ? 'printed' : spelling;
    found.push({ from: match.index, to: SPELLED.lastIndex, partner: last.get(kind) ?? -1 });
    last.set(kind, match.index);
  }
  return found;
};

/** The quotes of a text that are spelled otherwise than `"`, asked about from its end to its start. */
export class SpelledQuotes {
  readonly #found: readonly Quote[];
  #left: number;

  constructor(text: string) {
    this.#found = quotesIn(text);
    this.#left = this.#found.length;
  }

  /**
   * Where the quoted text begins that ends in a stretch of a local part, at its end or before a point: the first quote of the
   * stretch is its last one, unless the stretch has another one to it. -1 where it has no such text, or no beginning is there.
   *
   * @param text the one that these are quotes of
   */
  openingBefore(text: string, from: number, end: number): number {
    while ((this.#found[this.#left - 1]?.to ?? -1) > end) this.#left -= 1;
    let [first, count]: [Quote | null, number] = [null, 0];
    for (;;) {
      const quote = this.#found[this.#left - 1];
      if (quote === undefined || quote.from < from) break;
      [first, count] = [quote, count + 1];
      this.#left -= 1;
    }
    if (first === null || count % 2 === 0) return -1;
    return first.to === end || text.charAt(first.to) === '.' ? first.partner : -1;
  }
}

import { BegunInShares, type Share } from './share-of-turn.ts';

/** Of a turn of the loop, for those that have waited. */
const SHARE: Share = { ms: 4, begun: 16 };
/** So many begin in the turn in which they come, where none waits: more of them come together. */
const AT_ONCE = 2;

type Waiting = { readonly bytes: number; readonly begin: () => void };

/**
 * Lets only so many bytes be under way at once, and what waits begin in shares of a turn: what is handed to a library that queues it is
 * worked on by the library when it likes, all of it in one turn, and whoever is served by the thread waits for that.
 */
export class BytesUnderWay {
  readonly #mostBytes: () => number;
  readonly #countedMs: number;
  readonly #line: Waiting[] = [];
  readonly #shares: BegunInShares;
  #bytes = 0;

  /**
   * @param mostBytes of all that is under way together, as of now; one that is larger goes alone
   * @param countedMs so long each counts at the most: what hangs does not hold up the others
   */
  constructor(mostBytes: () => number, countedMs: number) {
    this.#mostBytes = mostBytes;
    this.#countedMs = countedMs;
    const [line, fits, beginOne] = [this.#line, this.#fits, this.#beginOne];
    this.#shares = new BegunInShares(SHARE, AT_ONCE, {
      get size(): number {
        return fits(line[0]?.bytes) ? line.length : 0;
      },
      beginOne,
    });
  }

  /**
   * Waits for its turn, in order of coming.
   *
   * @returns to be called when it is over
   */
  async enter(bytes: number): Promise<() => void> {
    if (this.#line.length === 0 && this.#fits(bytes) && this.#shares.beginsNow()) {
      this.#bytes += bytes;
    } else {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#line.push({ bytes, begin: resolve });
      await promise;
    }
    return this.#counted(bytes);
  }

  /** Counts until it is left or its time is over, once. */
  #counted(bytes: number): () => void {
    let isCounted = true;
    const end = (): void => {
      clearTimeout(timer);
      if (!isCounted) return;
      isCounted = false;
      this.#bytes -= bytes;
      if (this.#line.length > 0) this.#shares.mayGoOn();
    };
    const timer = setTimeout(end, this.#countedMs).unref();
    return end;
  }

  readonly #fits = (bytes: number | undefined): boolean =>
    bytes !== undefined && (this.#bytes === 0 || this.#bytes + bytes <= this.#mostBytes());

  readonly #beginOne = (): void => {
    const [next] = this.#line;
    if (next === undefined || !this.#fits(next.bytes)) return;
    this.#line.shift();
    this.#bytes += next.bytes;
    next.begin();
  };
}

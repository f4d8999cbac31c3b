/** What a line is about, as far as those that are left out are told apart: of each there are as many as the program names. */
export type LineAbout = { readonly route: string; readonly status: number; readonly outcome?: string };

/** How many lines about the same were left out. */
export type LeftOut = LineAbout & { readonly lines: number };

export type LineBoundOptions = {
  /** Lines that may come at once. */
  readonly burst: number;
  /** Lines that may come in each second, for as long as it goes on. */
  readonly perSecond: number;
  /** Given each second what was left out since, where something was. */
  readonly tell: (leftOut: readonly LeftOut[]) => void;
  /** A clock in milliseconds that never goes back. */
  readonly nowMs?: () => number;
};

const SECOND_MS = 1_000;

/**
 * Bounds lines that anybody can cause without proving anything, since the disk that they fill is often that of the
 * events. What is beyond the bound is counted: its kinds and numbers are told together, so that no flood goes unseen.
 */
export class LineBound {
  readonly #options: LineBoundOptions;
  readonly #nowMs: () => number;
  #left: number;
  #atMs: number;
  readonly #leftOut = new Map<string, { readonly about: LineAbout; lines: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LineBoundOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#left = options.burst;
    this.#atMs = this.#nowMs();
  }

  /** Whether a line may be written now; one that may not is counted. */
  admits({ route, status, outcome }: LineAbout): boolean {
    const { burst, perSecond } = this.#options;
    const now = this.#nowMs();
    this.#left = Math.min(burst, this.#left + ((now - this.#atMs) * perSecond) / SECOND_MS);
    this.#atMs = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      return true;
    }
    const key = `${route} ${status} ${outcome ?? ''}`;
    const known = this.#leftOut.get(key);
    if (known === undefined) {
      // What is about a line, and not the line itself: that may have far more in it, by the choice of whoever asks.
      const about = outcome === undefined ? { route, status } : { route, status, outcome };
      this.#leftOut.set(key, { about, lines: 1 });
    } else known.lines += 1;
    this.#timer ??= setTimeout(() => this.tellNow(), SECOND_MS).unref();
    return false;
  }

  /** Tells what was left out since the last time, before the second is over too. */
  tellNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#leftOut.size === 0) return;
    const leftOut = [...this.#leftOut.values()].map(({ about, lines }) => ({ ...about, lines }));
    this.#leftOut.clear();
    this.#options.tell(leftOut);
  }
}

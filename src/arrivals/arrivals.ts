import type { ArrivalsSeen, RefusedDelivery } from './arrivals-seen.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Counts are kept by stretches of so long, for a day and one stretch more. */
const STRETCH_MS = 10 * MINUTE;
const KEPT_STRETCHES = DAY / STRETCH_MS + 1;

/** Refused deliveries that are kept one by one: so many at the most, for so long, and so many new ones a minute. */
const MOST_REFUSED = 500;
const REFUSED_KEPT_MS = 7 * DAY;
const REFUSED_A_MINUTE = 30;

/** What is known of a refused delivery beyond its code; found out for those only that are kept. */
export type RefusedDetail = Omit<RefusedDelivery, 'atMs' | 'code'>;

/**
 * Counts what arrives, and remembers the last deliveries that were refused, never a body. Whoever sends millions makes
 * counters grow and nothing else.
 */
export class Arrivals {
  readonly #totals: Map<string, number>;
  #stretches: { readonly fromMs: number; readonly counts: Map<string, number> }[];
  #refused: RefusedDelivery[];
  #minute = 0;
  #inMinute = 0;
  #changed = false;

  constructor({ totals, stretches, refused }: ArrivalsSeen) {
    this.#totals = new Map(Object.entries(totals));
    this.#stretches = stretches.map(([fromMs, counts]) => ({ fromMs, counts: new Map(Object.entries(counts)) }));
    this.#refused = [...refused];
  }

  /** A delivery was answered. */
  count(outcome: string, atMs: number): void {
    this.#changed = true;
    this.#totals.set(outcome, (this.#totals.get(outcome) ?? 0) + 1);
    const { counts } = this.#stretchAt(atMs);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

  /**
   * A delivery was refused.
   *
   * @param detail asked for only where it is kept
   */
  refuse(code: string, atMs: number, detail: () => RefusedDetail): void {
    this.count(code, atMs);
    const minute = Math.floor(atMs / MINUTE);
    if (minute !== this.#minute) [this.#minute, this.#inMinute] = [minute, 0];
    if (this.#inMinute >= REFUSED_A_MINUTE) return;
    this.#inMinute += 1;
    this.#refused.push({ atMs, code, ...detail() });
    if (this.#refused.length > MOST_REFUSED) this.#refused.shift();
  }

  /** What is known, as of a moment. */
  seen(nowMs: number): ArrivalsSeen {
    return {
      version: 1,
      totals: Object.fromEntries(this.#totals),
      stretches: this.#stretches.map(({ fromMs, counts }) => [fromMs, Object.fromEntries(counts)]),
      refused: this.#refused.filter(({ atMs }) => atMs >= nowMs - REFUSED_KEPT_MS),
    };
  }

  /** Whether anything came since this was asked last. */
  takeChanged(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  #stretchAt(atMs: number) {
    const fromMs = Math.floor(atMs / STRETCH_MS) * STRETCH_MS;
    const last = this.#stretches.at(-1);
    // A clock that was set back goes on in the stretch that is there.
    if (last !== undefined && last.fromMs >= fromMs) return last;
    const next = { fromMs, counts: new Map<string, number>() };
    this.#stretches = [...this.#stretches, next].slice(-KEPT_STRETCHES);
    return next;
  }
}

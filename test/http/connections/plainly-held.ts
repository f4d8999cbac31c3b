/** What somebody holds. */
type Held = { readonly network: string; readonly giveUp: () => void; bytes: number; sinceMs: number; isIn: boolean };

const SHORT_MS = 1_000;
const FREE_PART = 8;

/** What `HeldByPeers` is to do, by looking through all that is held whenever something is to be given up. */
export class PlainlyHeld {
  readonly #most: number;
  readonly #now: () => number;
  readonly #known = new Set<string>();
  /** By network, in the order in which these began to hold anything; of each in the order of what they hold. */
  readonly #peers = new Map<string, Held[]>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  get left(): number {
    return Math.max(0, this.#most - this.#held());
  }

  enter(network: string, giveUp: () => void): Held {
    return { network, giveUp, bytes: 0, sinceMs: -1, isIn: true };
  }

  holds(own: Held, bytes: number): void {
    if (!own.isIn) return;
    if (own.sinceMs === -1) {
      own.sinceMs = this.#now();
      this.#peers.set(own.network, [...(this.#peers.get(own.network) ?? []), own]);
    }
    own.bytes = bytes;
    while (this.#held() > this.#most) {
      const next = this.#next();
      if (next === null) return;
      this.leave(next);
      next.giveUp();
    }
  }

  leave(own: Held): void {
    own.isIn = false;
    const others = (this.#peers.get(own.network) ?? []).filter((held) => held !== own);
    if (others.length > 0) this.#peers.set(own.network, others);
    else this.#peers.delete(own.network);
  }

  proved(network: string): void {
    this.#known.add(network);
  }

  #held(): number {
    return this.#peers.values().reduce((sum, held) => sum + this.#of(held), 0);
  }

  #of(held: readonly Held[]): number {
    return held.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #next(): Held | null {
    const least = this.#held() / this.#peers.size / 2;
    let [next, most]: [Held | null, number] = [null, -Infinity];
    for (const [network, held] of this.#peers) {
      const counted = this.#of(held) - (this.#known.has(network) ? this.#most / FREE_PART : 0);
      const eldest = held[0] ?? null;
      const isLong = eldest !== null && eldest.sinceMs <= this.#now() - SHORT_MS && counted >= least;
      const weight = isLong ? this.#held() + counted : counted;
      if (weight > most) [next, most] = [eldest, weight];
    }
    return next;
  }
}

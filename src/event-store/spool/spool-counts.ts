import type { Sha256 } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { entryBytes } from './entry-bytes.ts';

/** A delivery that waits, by its place in the order of arrival. */
type Waiting = {
  readonly seq: number;
  readonly bodyBytes: number;
  readonly receivedAt: Instant;
  isOver: boolean;
};

/** So many that are over are kept before those that wait: each time that they are let go, the others move up. */
const MOST_OVER = 1_024;

/** What a spool holds, known without asking its file: the queue of each key, those that were set aside, and their sums. */
export class SpoolCounts {
  /** Those that wait; a key without any is not there. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #aside = new Set<Sha256>();
  /** All that wait, in order of arrival, and some whose turn is over. */
  #arrivals: Waiting[] = [];
  /** Those before it are over. */
  #oldest = 0;
  #depth = 0;
  #asideCount = 0;
  #bytes = 0;

  /** How many wait. */
  get depth(): number {
    return this.#depth;
  }

  get asideCount(): number {
    return this.#asideCount;
  }

  /** What all of them take, those that were set aside too. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When the first of those that wait was received; null where none waits. */
  get oldestReceivedAt(): Instant | null {
    return this.#arrivals[this.#oldest]?.receivedAt ?? null;
  }

  /** One that waits behind all others. */
  add(key: string, { seq, bodyBytes, receivedAt }: Omit<Waiting, 'isOver'>): void {
    const waiting: Waiting = { seq, bodyBytes, receivedAt, isOver: false };
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, [waiting]);
    else queue.push(waiting);
    this.#arrivals.push(waiting);
    this.#depth += 1;
    this.#bytes += entryBytes(bodyBytes);
  }

  addAside(bodySha256: Sha256, bodyBytes: number): void {
    this.#asideCount += 1;
    this.#aside.add(bodySha256);
    this.#bytes += entryBytes(bodyBytes);
  }

  /** The first that waits of a key, by its place; null where none does. */
  firstOf(key: string): number | null {
    return this.#queues.get(key)?.[0]?.seq ?? null;
  }

  /** Takes out the first of a key, where it is the one at a place: whether it was. */
  removeFirst(key: string, seq: number): boolean {
    const queue = this.#queues.get(key);
    const first = queue?.[0];
    if (queue === undefined || first?.seq !== seq) return false;
    queue.shift();
    if (queue.length === 0) this.#queues.delete(key);
    first.isOver = true;
    this.#depth -= 1;
    this.#bytes -= entryBytes(first.bodyBytes);
    this.#passThoseOver();
    return true;
  }

  holds(key: string): boolean {
    return this.#queues.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#queues.keys();
  }

  /** The key of each that waits and is not at one of these places. */
  *keysBut(places: ReadonlySet<number>): Generator<string> {
    for (const [key, queue] of this.#queues) for (const { seq } of queue) if (!places.has(seq)) yield key;
  }

  isAside(bodySha256: Sha256): boolean {
    return this.#aside.has(bodySha256);
  }

  #passThoseOver(): void {
    while (this.#arrivals[this.#oldest]?.isOver === true) this.#oldest += 1;
    if (this.#oldest < MOST_OVER || this.#oldest * 2 < this.#arrivals.length) return;
    this.#arrivals = this.#arrivals.slice(this.#oldest);
    this.#oldest = 0;
  }
}

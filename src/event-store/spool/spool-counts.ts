import type { Sha256 } from '../../domain/ids.ts';
import { entryBytes } from './entry-bytes.ts';

/** What a spool holds, known without asking its file: the queue of each key, those that were set aside, and their sums. */
export class SpoolCounts {
  /** Places in the order of arrival, of those that wait; a key without any is not there. */
  readonly #waiting = new Map<string, number[]>();
  readonly #aside = new Set<Sha256>();
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

  clear(): void {
    this.#waiting.clear();
    this.#aside.clear();
    [this.#depth, this.#asideCount, this.#bytes] = [0, 0, 0];
  }

  /** One that waits behind all others. */
  add(key: string, seq: number, bodyBytes: number): void {
    const queue = this.#waiting.get(key);
    if (queue === undefined) this.#waiting.set(key, [seq]);
    else queue.push(seq);
    this.#depth += 1;
    this.#bytes += entryBytes(bodyBytes);
  }

  addAside(bodySha256: Sha256, bodyBytes: number): void {
    this.#asideCount += 1;
    this.#aside.add(bodySha256);
    this.#bytes += entryBytes(bodyBytes);
  }

  /** The first that waits of a key, by its place. */
  firstOf(key: string): number | null {
    return this.#waiting.get(key)?.[0] ?? null;
  }

  /** Takes out the first of a key. */
  removeFirst(key: string, bodyBytes: number): void {
    const queue = this.#waiting.get(key);
    if (queue?.shift() === undefined) return;
    if (queue.length === 0) this.#waiting.delete(key);
    this.#depth -= 1;
    this.#bytes -= entryBytes(bodyBytes);
  }

  holds(key: string): boolean {
    return this.#waiting.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#waiting.keys();
  }

  isAside(bodySha256: Sha256): boolean {
    return this.#aside.has(bodySha256);
  }
}

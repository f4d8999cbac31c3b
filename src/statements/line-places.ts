import { branded } from '../domain/brand.ts';
import type { Sha256 } from '../domain/ids.ts';
import type { BankLine } from '../domain/statement-line.ts';
import { contentDigest, type LinePlace } from './line-ids.ts';

/** Bytes of a digest. */
const DIGEST = 32;
/** Slots for each line, so that one is seldom taken by another content. */
const SLOTS = 2;

/**
 * What the lines of a file say, and how many equal ones are before each, as if the file were the only one. As texts in a map they
 * took some two hundred bytes a line; here they are 45.
 */
export class LinePlaces {
  readonly #digests: Buffer;
  readonly #before: Uint32Array;
  /** The last line of each content, its number from 1, at a place that its digest tells; 0: none. */
  readonly #slots: Uint32Array;
  #count = 0;

  /** @param most how many lines the file has */
  constructor(most: number) {
    this.#digests = Buffer.alloc(most * DIGEST);
    this.#before = new Uint32Array(most);
    this.#slots = new Uint32Array(most * SLOTS);
  }

  /** Takes the next line of the file. */
  add(line: BankLine): void {
    const at = this.#count;
    this.#digests.write(contentDigest(line), at * DIGEST, 'hex');
    this.#count += 1;
    const slot = this.#slotOf(at);
    const equal = this.#slots[slot] ?? 0;
    this.#before[at] = equal === 0 ? 0 : (this.#before[equal - 1] ?? 0) + 1;
    this.#slots[slot] = at + 1;
  }

  /** The places of so many lines from one on; fewer where there are fewer. */
  places(from: number, most: number): readonly LinePlace[] {
    const places: LinePlace[] = [];
    for (let at = from; at < Math.min(from + most, this.#count); at += 1)
      places.push({
        content: branded<Sha256>(this.#digestAt(at).toString('hex')),
        before: this.#before[at] ?? 0,
      });
    return places;
  }

  #digestAt(at: number): Buffer {
    return this.#digests.subarray(at * DIGEST, (at + 1) * DIGEST);
  }

  /** Where the last line that says the same stands, or is to stand. */
  #slotOf(at: number): number {
    const digest = this.#digestAt(at);
    let slot = digest.readUIntBE(0, 6) % this.#slots.length;
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#digestAt(known - 1).equals(digest)) return slot;
      slot = (slot + 1) % this.#slots.length;
    }
  }
}

import { sha256 } from '../domain/sha256.ts';

const WORD = 8;
const TWO_TO_32 = 2 ** 32;

const word = (digest: string, index: number): number =>
  Number.parseInt(digest.slice(index * WORD, (index + 1) * WORD), 16) | 0;

/**
 * Numbers that look random and follow from a seed (sfc32, a generator of 128 bits): equal seeds give equal numbers. One
 * for each order, so that what an order is does not hang on how many others are made at the same time. No secret is
 * ever made with it.
 */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    const digest = sha256(seed);
    this.#seed = seed;
    this.#a = word(digest, 0);
    this.#b = word(digest, 1);
    this.#c = word(digest, 2);
  }

  /** Another generator. Its numbers don't depend on how many this one has given. */
  derived(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0 and below 1. */
  fraction(): number {
    return this.next() / TWO_TO_32;
  }

  /** A whole number from 0 to `end - 1`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** True once in `n` times, on average. */
  onceIn(n: number): boolean {
    return this.below(n) === 0;
  }

  pick<A>(from: readonly [A, ...A[]]): A {
    return from[this.below(from.length)] ?? from[0];
  }

  shuffled<A>(items: readonly A[]): readonly A[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }

  /** Characters of an alphabet. */
  text(alphabet: string, length: number): string {
    let text = '';
    while (text.length < length) text += alphabet.charAt(this.below(alphabet.length));
    return text;
  }
}

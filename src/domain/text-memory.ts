/** Numbers before each text, of four bytes: how long its key is, and how long it is itself. */
const [KEY_LENGTH, TEXT_LENGTH, NUMBERS] = [0, 1, 2];
const WORD = 4;
/** UTF-8 takes three bytes at the most for each unit of a text. */
const MOST_BYTES_OF_A_UNIT = 3;

/** Where nothing is; also what is behind the last character of ASCII. */
const NOTHING = 0;
const LAST_ASCII = 0x7f;

/** A key is found within a few looks if a table has four times as many places as keys. */
const PLACES_FOR_A_KEY = 4;

/** A text of more than this share of a generation's bytes would drive out too many others. */
const SHARE_OF_A_TEXT = 1 / 16;

/** A number that spreads a key over all places; null where it has other characters than those of ASCII. */
const hashOf = (key: string): number | null => {
  let hash = 0;
  for (let i = 0; i < key.length; i += 1) {
    const unit = key.charCodeAt(i);
    if (unit > LAST_ASCII) return null;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  // The low bits, which choose the place, depend on few of the last characters.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
};

/**
 * What is asked for at first, and how many times as much whenever that is full. All at once would be more memory than most
 * ledgers come to use, and so much of it outside of the heap lets V8 look through the whole heap.
 */
const FIRST_BYTES = 65_536;
const TIMES = 4;

/** Texts by their keys, until it is full. */
class Generation {
  #bytes: Buffer;
  #words: Uint32Array;
  /** Where the text of a key begins, in words, plus one; a key stands at the first free place from its hash on. */
  readonly #places: Uint32Array;
  readonly #most: number;
  readonly #mostBytes: number;
  #keys = 0;
  /** In words. */
  #used = 0;

  /** @param bytes a multiple of four */
  constructor(most: number, bytes: number) {
    const memory = new ArrayBuffer(Math.min(FIRST_BYTES, bytes));
    this.#most = most;
    this.#mostBytes = bytes;
    this.#bytes = Buffer.from(memory);
    this.#words = new Uint32Array(memory);
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(1, most) * PLACES_FOR_A_KEY)));
  }

  /** Where the text of a key is; null where there is none. */
  find(key: string, hash: number): number | null {
    const at = this.#places[this.#placeOf(key, hash)] ?? NOTHING;
    return at === NOTHING ? null : at - 1;
  }

  textAt(at: number): string {
    const from = (at + NUMBERS) * WORD + (this.#words[at + KEY_LENGTH] ?? 0);
    return this.#bytes.toString('latin1', from, from + (this.#words[at + TEXT_LENGTH] ?? 0));
  }

  /** Whether there is room for one more text. */
  hasRoom(key: string, text: string): boolean {
    return this.#keys < this.#most && this.#bytesWith(key, text) <= this.#mostBytes;
  }

  /** Puts a text that there is room for; false, and nothing is put, where it has other characters than those of ASCII. */
  put(key: string, hash: number, text: string): boolean {
    this.#holdBytes(this.#bytesWith(key, text));
    const at = this.#used;
    const from = (at + NUMBERS) * WORD;
    for (let i = 0; i < key.length; i += 1) this.#bytes[from + i] = key.charCodeAt(i);
    if (this.#bytes.write(text, from + key.length) !== text.length) return false;
    this.#words[at + KEY_LENGTH] = key.length;
    this.#words[at + TEXT_LENGTH] = text.length;
    this.#used += NUMBERS + Math.ceil((key.length + text.length) / WORD);
    const place = this.#placeOf(key, hash);
    if (this.#places[place] === NOTHING) this.#keys += 1;
    this.#places[place] = at + 1;
    return true;
  }

  clear(): void {
    this.#places.fill(NOTHING);
    this.#keys = 0;
    this.#used = 0;
  }

  /** What it holds with one more text at the most, in bytes. */
  #bytesWith(key: string, text: string): number {
    return (this.#used + NUMBERS) * WORD + key.length + text.length * MOST_BYTES_OF_A_UNIT;
  }

  /** Takes more memory where there is not enough of it for so many bytes; what it holds is copied. */
  #holdBytes(bytes: number): void {
    if (bytes <= this.#bytes.length) return;
    let length = FIRST_BYTES;
    while (length < bytes) length *= TIMES;
    const memory = new ArrayBuffer(Math.min(length, this.#mostBytes));
    const grown = Buffer.from(memory);
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#words = new Uint32Array(memory);
  }

  /** The place of a key, or the one that it would have. */
  #placeOf(key: string, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const at = this.#places[place] ?? NOTHING;
      if (at === NOTHING || this.#isAt(key, at - 1)) return place;
    }
  }

  #isAt(key: string, at: number): boolean {
    if (this.#words[at + KEY_LENGTH] !== key.length) return false;
    const [bytes, from] = [this.#bytes, (at + NUMBERS) * WORD];
    for (let i = 0; i < key.length; i += 1) if (bytes[from + i] !== key.charCodeAt(i)) return false;
    return true;
  }
}

/**
 * Texts by their keys, those that were put last. They are kept as bytes: as objects, some hundred thousand of them would be
 * copied and looked through whenever garbage is collected, and let the heap grow to twice what they take.
 *
 * It has two generations, as `Recent` has: when the young one is full, the old one is forgotten as a whole.
 */
export class TextMemory {
  readonly #longest: number;
  #young: Generation;
  #old: Generation;

  /**
   * @param most texts kept at the most; at least half as many of the last that were put are there
   * @param bytes what all of them take at the most, with their keys; where texts are long, fewer are kept
   */
  constructor(most: number, bytes: number) {
    const half = Math.ceil(most / 2);
    const bytesOfHalf = Math.ceil(bytes / 2 / WORD) * WORD;
    this.#longest = bytesOfHalf * SHARE_OF_A_TEXT;
    this.#young = new Generation(half, bytesOfHalf);
    this.#old = new Generation(half, bytesOfHalf);
  }

  /** The text of a key; null where none is kept. */
  get(key: string): string | null {
    const hash = hashOf(key);
    if (hash === null) return null;
    const young = this.#young.find(key, hash);
    if (young !== null) return this.#young.textAt(young);
    const old = this.#old.find(key, hash);
    return old === null ? null : this.#old.textAt(old);
  }

  /** Keeps a text; false where it can't: a text that is no ASCII, or very long, or has such a key. */
  put(key: string, text: string): boolean {
    const hash = hashOf(key);
    if (hash === null || key.length + text.length > this.#longest) return false;
    if (!this.#young.hasRoom(key, text)) {
      [this.#young, this.#old] = [this.#old, this.#young];
      this.#young.clear();
    }
    return this.#young.put(key, hash, text);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}

/** Numbers that go with the text of a record. */
export type RecordNumbers = {
  /** The record before it of the same stream, by its place; null for none. */
  readonly before: number | null;
  readonly revision: number;
  readonly isConflict: boolean;
  /** Lengths of the parts that its text begins with. */
  readonly nameLength: number;
  readonly idLength: number;
  readonly receivedLength: number;
  /** How much of the data is as in the record before: so much at the beginning, so much at the end. */
  readonly sameFirst: number;
  readonly sameLast: number;
};

/** The same of a record that is there. `first`: the place of the first one of its stream; `length`: how many there are up to it. */
export type PlacedNumbers = RecordNumbers & { readonly first: number; readonly length: number };

/** Numbers before each text, of four bytes; places are told as distances. */
const [BEFORE, FIRST, LENGTH, BYTES, REVISION, IS_CONFLICT, NAME, ID, RECEIVED, SAME_FIRST, SAME_LAST, NUMBERS] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];
const WORD = 4;
/** UTF-8 takes three bytes at the most for each unit of a text. */
const MOST_BYTES_OF_A_UNIT = 3;

/**
 * Texts behind each other in one piece of memory, outside of what is looked through when garbage is collected; what was
 * written first is written over. A place is a number that grows, and is valid until it is written over.
 */
export class EventRing {
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  readonly #size: number;
  /** Where the next record goes. */
  #end = 0;

  /** @param size in bytes, a multiple of four; below 2^31 */
  constructor(size: number) {
    const memory = new ArrayBuffer(size);
    this.#bytes = Buffer.from(memory);
    this.#words = new Int32Array(memory);
    this.#size = size;
  }

  /** How far it has been written. */
  get end(): number {
    return this.#end;
  }

  /** The most bytes that a record of so long a text takes. */
  sizeOf(units: number): number {
    return NUMBERS * WORD + units * MOST_BYTES_OF_A_UNIT + WORD;
  }

  /** Whether what is at a place is still there, and will be when so many bytes more are written. */
  isThere(place: number, more = 0): boolean {
    return this.#end + more - place <= this.#size;
  }

  /** Writes a record, which must not be larger than the ring, and answers its place. */
  write(text: string, numbers: RecordNumbers): number {
    const most = this.sizeOf(text.length);
    const left = this.#size - (this.#end % this.#size);
    // A record is in one piece.
    if (left < most) this.#end += left;
    const place = this.#end;
    const at = place % this.#size;
    const bytes = this.#bytes.write(text, at + NUMBERS * WORD);
    const before = numbers.before === null ? null : this.at(numbers.before);
    const [words, from] = [this.#words, at / WORD];
    words[from + BEFORE] = numbers.before === null ? 0 : place - numbers.before;
    words[from + FIRST] = before === null ? 0 : place - before.first;
    words[from + LENGTH] = before === null ? 1 : before.length + 1;
    words[from + BYTES] = bytes;
    words[from + REVISION] = numbers.revision;
    words[from + IS_CONFLICT] = numbers.isConflict ? 1 : 0;
    words[from + NAME] = numbers.nameLength;
    words[from + ID] = numbers.idLength;
    words[from + RECEIVED] = numbers.receivedLength;
    words[from + SAME_FIRST] = numbers.sameFirst;
    words[from + SAME_LAST] = numbers.sameLast;
    this.#end += Math.ceil((NUMBERS * WORD + bytes) / WORD) * WORD;
    return place;
  }

  /** The numbers of a record that is there. */
  at(place: number): PlacedNumbers {
    const from = (place % this.#size) / WORD;
    const word = (of: number): number => this.#words[from + of] ?? 0;
    return {
      first: place - word(FIRST),
      length: word(LENGTH),
      before: word(BEFORE) === 0 ? null : place - word(BEFORE),
      revision: word(REVISION),
      isConflict: word(IS_CONFLICT) === 1,
      nameLength: word(NAME),
      idLength: word(ID),
      receivedLength: word(RECEIVED),
      sameFirst: word(SAME_FIRST),
      sameLast: word(SAME_LAST),
    };
  }

  /** The text of a record that is there. */
  textAt(place: number): string {
    const at = place % this.#size;
    const from = at + NUMBERS * WORD;
    return this.#bytes.toString('utf8', from, from + (this.#words[at / WORD + BYTES] ?? 0));
  }

  /** Whether the text of a record that is there begins with a text of ASCII characters. */
  beginsWith(place: number, text: string): boolean {
    const from = (place % this.#size) + NUMBERS * WORD;
    for (let i = 0; i < text.length; i += 1) if (this.#bytes[from + i] !== text.charCodeAt(i)) return false;
    return true;
  }
}

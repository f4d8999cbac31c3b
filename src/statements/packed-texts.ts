import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Packed texts lie in pieces of memory of so many bytes: each in memory of its own would take a multiple of a short one. */
const PIECE = 65_536;

/** Lines of one file are much alike: the fastest way packs them to a thirtieth. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A text that was packed, to be read by the same that packed it. */
export type PackedText = Uint8Array;

/** Texts that are kept in little memory, outside of the heap, until they are looked at. */
export class PackedTexts {
  #piece = new Uint8Array(0);
  #used = 0;
  #bytes = 0;

  /** How many bytes all of them take. */
  get bytes(): number {
    return this.#bytes;
  }

  pack(text: string): PackedText {
    const packed = zstdCompressSync(text, FASTEST);
    this.#bytes += packed.length;
    if (this.#used + packed.length > this.#piece.length) {
      this.#piece = new Uint8Array(Math.max(PIECE, packed.length));
      this.#used = 0;
    }
    const place = this.#piece.subarray(this.#used, this.#used + packed.length);
    place.set(packed);
    this.#used += packed.length;
    return place;
  }

  /** The text as it was given. */
  read(packed: PackedText): string {
    return zstdDecompressSync(packed).toString();
  }
}

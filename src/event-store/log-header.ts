import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What SQLite begins a write-ahead log with, its numbers in either order of bytes (the SQLite documentation, WAL-mode File Format, 2.1). */
export const LOG_MAGIC: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683]);

/** A header with its checksum: another one for each time that the log begins anew. */
const HEADER_BYTES = 32;

/**
 * Looks at a write-ahead log that is in use. SQLite goes on behind what it has written to it, also where that was cut off: what
 * was committed is not there any more, and the next start finds none of it. A program that takes the log into its database and
 * empties it begins it anew, with another header.
 */
export class LogHeader {
  readonly #file: string;
  #header = '';
  #size = 0;

  constructor(file: string) {
    this.#file = file;
    this.damage();
  }

  /** Why nothing may be acknowledged any more; null where nothing is wrong, or it can't be looked at now. */
  damage(): string | null {
    // Another program may empty it between header and size: what is wrong is so at a second look, too.
    return this.#look() === null ? null : this.#look();
  }

  #look(): string | null {
    try {
      const handle = openSync(this.#file, 'r');
      try {
        return this.#looked(handle);
      } finally {
        closeSync(handle);
      }
    } catch {
      return null;
    }
  }

  #looked(handle: number): string | null {
    const bytes = Buffer.alloc(HEADER_BYTES);
    const read = readSync(handle, bytes, 0, HEADER_BYTES, 0);
    // Its size comes second: that of a log before, beside the header of one that began anew since, would be a cut at the next look.
    const { size } = fstatSync(handle);
    const header = bytes.toString('latin1', 0, read);
    const isCut = size < this.#size && header === this.#header;
    const isNone = size > 0 && (read < HEADER_BYTES || !LOG_MAGIC.has(bytes.readUInt32BE(0)));
    if (isCut || isNone) return `${this.#file} was overwritten or cut while it was in use`;
    [this.#header, this.#size] = [header, size];
    return null;
  }
}

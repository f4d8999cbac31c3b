import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../domain/ids.ts';
import { comparePositions, positionAt, positionNumber } from '../../domain/position.ts';
import { refusePipe } from '../../files/own-file.ts';
import { HASH_BYTES, rootHash, type Hash } from '../merkle-tree.ts';
import { hashesOfLevel, nodesInTiles } from '../tile.ts';

const POSITION_BYTES = 8;
/** With so many levels of tiles a tree holds more leaves than a number can count. */
export const LEVELS = 7;

/** Reads exactly so many bytes; throws where the file has fewer. */
const readAt = (file: number, offset: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, length, offset) !== length) throw new Error('the tree of the log is cut off');
  return bytes;
};

/** Writes all of some bytes; throws where the disk takes no more of them. */
const writeAt = (file: number, offset: number, bytes: Buffer): void => {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, offset + done);
};

const isAsLong = (file: number, bytes: number): boolean => fstatSync(file).size >= bytes;

const positionBytes = (positions: readonly Position[]): Buffer => {
  const bytes = Buffer.allocUnsafe(positions.length * POSITION_BYTES);
  let at = 0;
  for (const position of positions) at = bytes.writeDoubleBE(positionNumber(position), at);
  return bytes;
};

/**
 * The tree of a log as files that are only appended to: for each level of tiles one file of its hashes, one behind the
 * other, and one of the positions of the leaves. A tile is a run of bytes of one of them. All of it can be thrown away: it
 * follows from the log.
 *
 * One program at a time appends; any number may read, as far as a checkpoint says that the tree is whole.
 */
export class TreeFiles {
  readonly #folder: string;
  readonly #use: 'read' | 'append';
  readonly #levels: number[] = [];
  readonly #positions: number;
  /** Those that were changed since all of them were durable. */
  readonly #changed = new Set<number>();

  /** Opens the files of a folder, and makes what is not there where it is to be appended to. Throws where that fails. */
  constructor(folder: string, use: 'read' | 'append') {
    this.#folder = folder;
    this.#use = use;
    if (use === 'append') mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#positions = this.#open('positions');
  }

  readonly readHashes = (level: number, index: number, count: number): Buffer =>
    readAt(this.#level(level), index * HASH_BYTES, count * HASH_BYTES);

  /** Root of the first leaves, so many of them. */
  rootOf(size: number): Hash {
    return rootHash(nodesInTiles(this.readHashes), size);
  }

  /** Position of the event of a leaf. */
  positionOf(index: number): Position {
    return positionAt(readAt(this.#positions, index * POSITION_BYTES, POSITION_BYTES).readDoubleBE());
  }

  /** Index of the leaf of the event at a position, among the first `size`; null where there is none. */
  indexOf(position: Position, size: number): number | null {
    let [from, to] = [0, size];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const order = comparePositions(this.positionOf(middle), position);
      if (order === 0) return middle;
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return null;
  }

  /** Whether the files have as many leaves as this, and all hashes of the levels above them. */
  holds(size: number): boolean {
    if (!isAsLong(this.#positions, size * POSITION_BYTES)) return false;
    return Array.from({ length: LEVELS }, (_, level) => hashesOfLevel(size, level) * HASH_BYTES).every(
      (bytes, level) => bytes === 0 || isAsLong(this.#level(level), bytes),
    );
  }

  /** Whether these hashes of a level stand behind its first `count`. Throws where the file has fewer. */
  hasHashes(level: number, count: number, hashes: Buffer): boolean {
    return this.readHashes(level, count, hashes.length / HASH_BYTES).equals(hashes);
  }

  /** Whether these positions stand behind the first `count`. Throws where the file has fewer. */
  hasPositions(count: number, positions: readonly Position[]): boolean {
    const bytes = positionBytes(positions);
    return readAt(this.#positions, count * POSITION_BYTES, bytes.length).equals(bytes);
  }

  /** Takes away what is behind the first `size` leaves. */
  truncate(size: number): void {
    ftruncateSync(this.#positions, size * POSITION_BYTES);
    for (let level = 0; level < LEVELS; level += 1) {
      ftruncateSync(this.#level(level), hashesOfLevel(size, level) * HASH_BYTES);
    }
    for (const file of [this.#positions, ...this.#levels]) this.#changed.add(file);
  }

  /** Writes hashes at the end of a level, of which it has `count` by then. */
  write(level: number, count: number, hashes: Buffer): void {
    this.#append(this.#level(level), count * HASH_BYTES, hashes);
  }

  writePositions(count: number, positions: readonly Position[]): void {
    this.#append(this.#positions, count * POSITION_BYTES, positionBytes(positions));
  }

  /** Makes durable what was written. */
  sync(): void {
    for (const file of this.#changed) fdatasyncSync(file);
    this.#changed.clear();
  }

  close(): void {
    for (const file of [this.#positions, ...this.#levels]) closeSync(file);
  }

  #append(file: number, offset: number, bytes: Buffer): void {
    this.#changed.add(file);
    writeAt(file, offset, bytes);
  }

  #open(name: string): number {
    const file = join(this.#folder, name);
    refusePipe(file);
    return this.#use === 'read' ? openSync(file, 'r') : openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  #level(level: number): number {
    for (let next = this.#levels.length; next <= level; next += 1) this.#levels.push(this.#open(`hashes-${next}`));
    return this.#levels[level] ?? this.#open(`hashes-${level}`);
  }
}

/** What a tree is written with. */
export type WrittenFiles = Pick<TreeFiles, 'truncate' | 'readHashes' | 'positionOf' | 'write' | 'writePositions'>;

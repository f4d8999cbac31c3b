import type { Position } from '../../domain/ids.ts';
import { HASH_BYTES, perfectRoot, writeLeafHash, type Hash } from '../merkle-tree.ts';
import { hashesOfLevel, TILE_WIDTH } from '../tile.ts';
import { LEVELS, type WrittenFiles } from './tree-files.ts';

/** The last tile of a level, which is not full. */
type UnfinishedTile = {
  readonly level: number;
  readonly hashes: Buffer;
  /** How many hashes of its level stand before it. */
  first: number;
  /** How many hashes it has. */
  width: number;
  /** How many of them are in the file. */
  written: number;
};

/** Where a tree ends: its last leaf, where the event of that stands, and where the one before it does. */
export type TreeEnd = { readonly leaf: Hash; readonly position: Position; readonly before: Position | null };

/**
 * Appends leaves to the files of a tree: a tile at a time, and what is in unfinished ones when it is told to. It is of no
 * use any more once something has failed to be written: another one is then opened, at a size that the files hold.
 */
export class TreeWriter {
  readonly #files: WrittenFiles;
  readonly #tiles: readonly UnfinishedTile[];
  #size: number;
  /** Of the last leaves, which are not in the file. */
  #positions: Position[] = [];

  /** @param size of the tree that the files hold; what is behind it goes */
  constructor(files: WrittenFiles, size: number) {
    files.truncate(size);
    this.#files = files;
    this.#size = size;
    this.#tiles = Array.from({ length: LEVELS }, (_, level) => {
      const count = hashesOfLevel(size, level);
      const width = count % TILE_WIDTH;
      const hashes = Buffer.alloc(TILE_WIDTH * HASH_BYTES);
      files.readHashes(level, count - width, width).copy(hashes);
      return { level, hashes, first: count - width, width, written: width };
    });
  }

  get size(): number {
    return this.#size;
  }

  /** Where it ends, written or not; null for a tree without leaves. Throws where the files can't be read. */
  end(): TreeEnd | null {
    const [tile] = this.#tiles;
    const last = this.#size - 1;
    if (tile === undefined || last < 0) return null;
    const at = (tile.width - 1) * HASH_BYTES;
    const leaf =
      tile.width > 0 ? Buffer.from(tile.hashes.subarray(at, at + HASH_BYTES)) : this.#files.readHashes(0, last, 1);
    return { leaf, position: this.#positionOf(last), before: last > 0 ? this.#positionOf(last - 1) : null };
  }

  append(leaf: string, position: Position): void {
    const [tile] = this.#tiles;
    if (tile === undefined) return;
    writeLeafHash(leaf, tile.hashes, tile.width * HASH_BYTES);
    this.#positions.push(position);
    this.#size += 1;
    this.#grow(tile);
  }

  /** Writes what is not in the files yet, so that they hold the whole tree. */
  flush(): void {
    this.#writePositions();
    for (const tile of this.#tiles) this.#write(tile);
  }

  /** A tile has one hash more. */
  #grow(tile: UnfinishedTile): void {
    tile.width += 1;
    if (tile.width < TILE_WIDTH) return;
    if (tile.level === 0) this.#writePositions();
    this.#write(tile);
    tile.first += TILE_WIDTH;
    tile.width = 0;
    tile.written = 0;
    const above = this.#tiles[tile.level + 1];
    if (above === undefined) return;
    perfectRoot(tile.hashes).copy(above.hashes, above.width * HASH_BYTES);
    this.#grow(above);
  }

  #write(tile: UnfinishedTile): void {
    const { level, hashes, first, width, written } = tile;
    if (written === width) return;
    this.#files.write(level, first + written, hashes.subarray(written * HASH_BYTES, width * HASH_BYTES));
    tile.written = width;
  }

  #positionOf(index: number): Position {
    return this.#positions[index - this.#size + this.#positions.length] ?? this.#files.positionOf(index);
  }

  #writePositions(): void {
    if (this.#positions.length === 0) return;
    this.#files.writePositions(this.#size - this.#positions.length, this.#positions);
    this.#positions = [];
  }
}

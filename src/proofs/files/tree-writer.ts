import type { Position } from '../../domain/ids.ts';
import { HASH_BYTES, type Hash } from '../merkle-tree.ts';
import { hashesOfLevel, TILE_WIDTH } from '../tile.ts';
import { TreeFrontier } from '../tree-frontier.ts';
import { LEVELS, type TreeFiles } from './tree-files.ts';

/** An event as the tree has it. */
export type TreeLeaf = { readonly hash: Hash; readonly position: Position };

/** Appends leaves to the files of a tree. What it keeps in memory is the last, unfinished tile of each level. */
export class TreeWriter {
  readonly #files: TreeFiles;
  readonly #unfinished: Hash[][];
  #size: number;

  /** @param size of the tree that the files hold; what is behind it goes */
  constructor(files: TreeFiles, size: number) {
    files.truncate(size);
    this.#files = files;
    this.#size = size;
    this.#unfinished = Array.from({ length: LEVELS }, (_, level) => {
      const count = hashesOfLevel(size, level);
      const first = count - (count % TILE_WIDTH);
      const bytes = files.readHashes(level, first, count - first);
      return Array.from({ length: count - first }, (_hash, i) => bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES));
    });
  }

  get size(): number {
    return this.#size;
  }

  append(leaves: readonly TreeLeaf[]): void {
    const written: Hash[][] = Array.from({ length: LEVELS }, () => []);
    const add = (level: number, hash: Hash): void => {
      const tile = this.#unfinished[level];
      if (tile === undefined) return;
      written[level]?.push(hash);
      if (tile.push(hash) < TILE_WIDTH) return;
      const root = new TreeFrontier();
      for (const one of tile) root.append(one);
      this.#unfinished[level] = [];
      add(level + 1, root.root());
    };
    const before = this.#size;
    for (const { hash } of leaves) add(0, hash);
    for (const [level, hashes] of written.entries()) {
      if (hashes.length > 0) this.#files.write(level, hashesOfLevel(before, level), hashes);
    }
    this.#files.writePositions(
      before,
      leaves.map(({ position }) => position),
    );
    this.#size = before + leaves.length;
  }
}

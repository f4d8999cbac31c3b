import { isConsistent, isIncluded } from './check-proof.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  consistencyProof,
  HASH_BYTES,
  inclusionProof,
  nodeProof,
  perfectRoot,
  rootHash,
  type Hash,
  type ReadNode,
} from './merkle-tree.ts';
import { nodesInTiles, TILE_WIDTH, type ReadHashes, type Tile } from './tile.ts';

/** That a leaf is in a tree, by the hashes that lead to its root. */
export type Included = { readonly root: Hash; readonly hashes: readonly Hash[] };

/** That a tree is the beginning of a larger one. */
export type Continued = { readonly fromRoot: Hash; readonly toRoot: Hash; readonly hashes: readonly Hash[] };

const notSigned = (): Error =>
  new Error('the tree of the log is not the one that was signed: a ledger that serves makes it right from the events');

/** The perfect subtrees, by the level of their roots above the tile's, that some hashes of a tile make up: the largest first. */
const perfectParts = (width: number): readonly { readonly from: number; readonly height: number }[] => {
  const parts: { from: number; height: number }[] = [];
  for (let [from, height] = [0, Math.log2(TILE_WIDTH)]; from < width; height -= 1) {
    if (from + 2 ** height > width) continue;
    parts.push({ from, height });
    from += 2 ** height;
  }
  return parts;
};

/**
 * Reads a tree that somebody else writes, as far as it is what a checkpoint was signed of: of each answer the hashes lead to
 * the signed root, or it throws. The files may be made of another log at any moment, even between two hashes that are
 * read: nobody has to tell of that in time. So under one name there are no two roots of one size, whatever is signed of
 * what this answers.
 */
export class HeldTree {
  readonly #read: ReadHashes;
  readonly #node: ReadNode;
  readonly #signed: Pick<Checkpoint, 'size' | 'root'>;

  constructor(read: ReadHashes, signed: Pick<Checkpoint, 'size' | 'root'>) {
    this.#read = read;
    this.#node = nodesInTiles(read);
    this.#signed = signed;
  }

  /** Throws where the files do not hold the signed tree now. */
  expectWhole(): void {
    if (!rootHash(this.#node, this.#signed.size).equals(this.#signed.root)) throw notSigned();
  }

  /** Root of the first leaves of the signed tree, so many of them. */
  root(size: number): Hash {
    if (size === this.#signed.size) return this.#signed.root;
    if (size > this.#signed.size) throw notSigned();
    const root = rootHash(this.#node, size);
    const hashes = consistencyProof(this.#node, size, this.#signed.size);
    if (!isConsistent({ size, root }, this.#signed, hashes)) throw notSigned();
    return root;
  }

  /** That the leaf of this hash has an index in the tree of a size. */
  inclusion(leaf: Hash, index: number, size: number): Included {
    const root = this.root(size);
    const own = this.#read(0, index, 1);
    const hashes = inclusionProof(this.#node, index, size);
    if (!isIncluded(own, index, { size, root }, hashes)) throw notSigned();
    if (!own.equals(leaf)) throw notSigned();
    return { root, hashes };
  }

  consistency(from: number, to: number): Continued {
    const [fromRoot, toRoot] = [this.root(from), this.root(to)];
    const hashes = consistencyProof(this.#node, from, to);
    if (!isConsistent({ size: from, root: fromRoot }, { size: to, root: toRoot }, hashes)) throw notSigned();
    return { fromRoot, toRoot, hashes };
  }

  /** Throws where these are not the leaves of a tile: its events are then others, or stand elsewhere. */
  expectLeaves(tile: Tile, leaves: Buffer): void {
    if (!this.tile(0, tile).equals(leaves)) throw notSigned();
  }

  /** The hashes of a tile, one behind the other. */
  tile(level: number, { index, width }: Tile): Buffer {
    const first = index * TILE_WIDTH;
    const hashes = this.#read(level, first, width);
    const { size, root } = this.#signed;
    const isSigned = perfectParts(width).every(({ from, height }) => {
      const part = hashes.subarray(from * HASH_BYTES, (from + 2 ** height) * HASH_BYTES);
      const [above, at] = [level * Math.log2(TILE_WIDTH) + height, (first + from) / 2 ** height];
      const proof = nodeProof(this.#node, above, at, size);
      return isIncluded(perfectRoot(part), at, { size: Math.ceil(size / 2 ** above), root }, proof);
    });
    if (!isSigned) throw notSigned();
    return hashes;
  }
}

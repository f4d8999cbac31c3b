import { expect } from 'chai';
import * as fc from 'fast-check';
import { HeldTree } from '../../src/proofs/held-tree.ts';
import { HASH_BYTES, leafHash, perfectRoot, rootHash } from '../../src/proofs/merkle-tree.ts';
import { hashesOfLevel, nodesInTiles, TILE_WIDTH, type ReadHashes } from '../../src/proofs/tile.ts';

/** Three levels of tiles. */
const MOST = 66_000;

/** The hashes of each level, one behind the other. */
const levelsOf = (leaves: number): readonly Buffer[] => {
  const levels = [Buffer.concat(Array.from({ length: leaves }, (_, i) => leafHash(`${i}`)))];
  for (let below = levels[0]; below !== undefined && below.length >= TILE_WIDTH * HASH_BYTES; below = levels.at(-1)) {
    const tiles = Math.floor(below.length / HASH_BYTES / TILE_WIDTH);
    const tileOf = (i: number): Buffer =>
      perfectRoot(below.subarray(i * TILE_WIDTH * HASH_BYTES, (i + 1) * TILE_WIDTH * HASH_BYTES));
    levels.push(Buffer.concat(Array.from({ length: tiles }, (_, i) => tileOf(i))));
  }
  return levels;
};

const readerOf =
  (levels: readonly Buffer[]): ReadHashes =>
  (level, index, count) =>
    (levels[level] ?? Buffer.alloc(0)).subarray(index * HASH_BYTES, (index + count) * HASH_BYTES);

describe('a tree that is held to what was signed', () => {
  const levels = levelsOf(MOST);
  const whole = readerOf(levels);
  const signedAt = (size: number) => ({ size, root: rootHash(nodesInTiles(whole), size) });

  const tiles = fc
    .record({
      size: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 65_000, max: MOST })),
      pick: fc.nat(),
    })
    .chain(({ size, pick }) => {
      const level = pick % levels.filter((_, at) => hashesOfLevel(size, at) > 0).length;
      const hashes = hashesOfLevel(size, level);
      return fc
        .nat(Math.floor((hashes - 1) / TILE_WIDTH))
        .chain((index) =>
          fc
            .integer({ min: 1, max: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) })
            .map((width) => ({ size, level, tile: { index, width } })),
        );
    });

  it('gives each tile of it, whole or not', () => {
    fc.assert(
      fc.property(tiles, ({ size, level, tile }) => {
        const hashes = new HeldTree(whole, signedAt(size)).tile(level, tile);
        expect(hashes.equals(whole(level, tile.index * TILE_WIDTH, tile.width))).to.equal(true);
      }),
    );
  });

  it('gives no tile with another hash in it', () => {
    fc.assert(
      fc.property(tiles, fc.nat(), ({ size, level, tile }, pick) => {
        const changed = tile.index * TILE_WIDTH + (pick % tile.width);
        const read: ReadHashes = (at, index, count) => {
          const hashes = Buffer.from(whole(at, index, count));
          if (at === level && index <= changed && changed < index + count)
            hashes.writeUInt8(hashes.readUInt8((changed - index) * HASH_BYTES) ^ 1, (changed - index) * HASH_BYTES);
          return hashes;
        };
        expect(() => new HeldTree(read, signedAt(size)).tile(level, tile)).to.throw(/not the one that was signed/);
      }),
    );
  });

  it('has no root, and proves nothing, of a size that is not signed', () => {
    const held = new HeldTree(whole, signedAt(700));
    expect(() => held.root(701)).to.throw(/not the one that was signed/);
    expect(() => held.consistency(10, 701)).to.throw(/not the one that was signed/);
    expect(() => held.inclusion(leafHash('5'), 5, 701)).to.throw(/not the one that was signed/);
    expect(() => held.inclusion(leafHash('6'), 5, 700)).to.throw(/not the one that was signed/);
    expect(held.inclusion(leafHash('5'), 5, 600).root.equals(held.root(600))).to.equal(true);
  });
});

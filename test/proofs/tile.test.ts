import { expect } from 'chai';
import * as fc from 'fast-check';
import { HASH_BYTES, leafHash, nodeHash, rootHash, type Hash } from '../../src/proofs/merkle-tree.ts';
import { hashesOfLevel, hasTile, nodesInTiles, parseTilePath, TILE_WIDTH } from '../../src/proofs/tile.ts';
import { TreeFrontier } from '../../src/proofs/tree-frontier.ts';

describe('tiles', () => {
  it('have the paths of tlog-tiles', () => {
    for (const [path, tile] of [
      ['000', { index: 0, width: 256 }],
      ['067', { index: 67, width: 256 }],
      ['x001/x234/067', { index: 1_234_067, width: 256 }],
      ['x001/x234/067.p/8', { index: 1_234_067, width: 8 }],
      ['999.p/255', { index: 999, width: 255 }],
    ] as const) {
      expect(parseTilePath(path), path).to.deep.equal(tile);
    }
    const wrong = [
      '',
      '0',
      '67',
      '0067',
      'x000/067',
      '067.p/0',
      '067.p/256',
      '067.p/08',
      '067/',
      'x001',
      '1/2',
      'x1/067',
      'x999/x999/x999/x999/x999/999',
    ];
    for (const path of wrong) expect(parseTilePath(path), path).to.equal(null);
  });

  it('are there as far as the tree has their hashes', () => {
    expect([0, 1, 2].map((level) => hashesOfLevel(70_000, level))).to.deep.equal([70_000, 273, 1]);
    expect(hasTile(70_000, 0, { index: 273, width: 112 })).to.equal(true);
    expect(hasTile(70_000, 0, { index: 273, width: 113 })).to.equal(false);
    expect(hasTile(70_000, 1, { index: 1, width: 17 })).to.equal(true);
    expect(hasTile(70_000, 2, { index: 0, width: 2 })).to.equal(false);
  });

  it('give every whole node of the tree', () => {
    const size = 3 * TILE_WIDTH + 19;
    const leaves = Array.from({ length: size }, (_, i) => leafHash(Buffer.from(String(i))));
    const levels: Hash[][] = [leaves];
    while ((levels.at(-1)?.length ?? 0) > 1) {
      const below = levels.at(-1) ?? [];
      levels.push(
        below.flatMap((left, i) => {
          const right = i % 2 === 0 ? below[i + 1] : undefined;
          return right === undefined ? [] : [nodeHash(left, right)];
        }),
      );
    }
    const read = nodesInTiles((level, index, count) =>
      Buffer.concat((levels[8 * level] ?? []).slice(index, index + count)),
    );
    fc.assert(
      fc.property(fc.nat(levels.length - 1), fc.nat(), (level, at) => {
        const nodes = levels[level] ?? [];
        const index = at % nodes.length;
        expect(read(level, index).equals(nodes[index] ?? Buffer.alloc(HASH_BYTES))).to.equal(true);
      }),
    );
    const frontier = new TreeFrontier();
    for (const leaf of leaves) frontier.append(leaf);
    expect(rootHash(read, size).equals(frontier.root())).to.equal(true);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { positionAt } from '../../src/domain/position.ts';
import { isConsistent, isIncluded, pathSides } from '../../src/proofs/check-proof.ts';
import { TreeFiles } from '../../src/proofs/files/tree-files.ts';
import { TreeWriter } from '../../src/proofs/files/tree-writer.ts';
import { consistencyProof, inclusionProof, leafHash, type Hash } from '../../src/proofs/merkle-tree.ts';
import { nodesInTiles } from '../../src/proofs/tile.ts';
import { TreeFrontier } from '../../src/proofs/tree-frontier.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LEAVES = 1_000_003;
const SAMPLES = 3_000;
/** Sizes whose roots are computed by another way, while leaves are appended. */
const EVERY = 9_973;
/** The keeper writes unfinished tiles before each checkpoint. */
const FLUSHED_EVERY = 4_099;

const leafTextOf = (index: number): string => `leaf ${index}`;
const leafOf = (index: number): Hash => leafHash(Buffer.from(leafTextOf(index)));

/** Sizes around powers of two, where trees change their form, as often as any others. */
const someSize = fc.oneof(
  fc.integer({ min: 1, max: LEAVES }),
  fc
    .tuple(fc.integer({ min: 0, max: 19 }), fc.integer({ min: -2, max: 2 }))
    .map(([level, off]) => Math.max(1, 2 ** level + off)),
);

describe('a log of a million events', () => {
  const folder = temporaryFolder();
  const roots = new Map<number, Hash>();
  let files: TreeFiles;
  before(() => {
    files = new TreeFiles(folder.path, 'append');
    const writer = new TreeWriter(files, 0);
    const frontier = new TreeFrontier();
    for (let index = 0; index < LEAVES; index += 1) {
      writer.append(leafTextOf(index), positionAt(2 * index + 1));
      frontier.append(leafOf(index));
      if (frontier.size % EVERY === 0 || frontier.size === LEAVES) roots.set(frontier.size, frontier.root());
      if (index % FLUSHED_EVERY === 0) writer.flush();
    }
    writer.flush();
  }).timeout(120_000);
  after(() => {
    files.close();
    folder.remove();
  });

  it('has the same roots, whether they are read from its files or computed from its leaves alone', () => {
    for (const [size, root] of roots) expect(files.rootOf(size).equals(root), `size ${size}`).to.equal(true);
    expect(roots.size).to.be.greaterThan(100);
  });

  it('proves each leaf in each tree, and no other leaf, place or tree', () => {
    const read = nodesInTiles(files.readHashes);
    fc.assert(
      fc.property(someSize, fc.nat(), fc.nat(), (size, any, at) => {
        const index = any % size;
        const tree = { size, root: files.rootOf(size) };
        const proof = inclusionProof(read, index, size);
        const leaf = leafOf(index);
        expect(isIncluded(leaf, index, tree, proof)).to.equal(true);
        expect(pathSides(index, size).length).to.equal(proof.length);
        expect(files.indexOf(files.positionOf(index), size)).to.equal(index);
        expect(isIncluded(leaf, (index + 1) % size, tree, proof)).to.equal(size === 1);
        expect(isIncluded(leafOf(size), index, tree, proof)).to.equal(false);
        const altered = proof.map((hash, i) => (i === at % proof.length ? leafHash(hash) : hash));
        expect(isIncluded(leaf, index, tree, altered)).to.equal(proof.length === 0);
      }),
      { numRuns: SAMPLES },
    );
  });

  it('proves each tree to be the beginning of each later one, and of no other', () => {
    const read = nodesInTiles(files.readHashes);
    fc.assert(
      fc.property(someSize, someSize, fc.nat(), (one, other, at) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const [older, newer] = [from, to].map((size) => ({ size, root: files.rootOf(size) }));
        if (older === undefined || newer === undefined) return;
        const proof = consistencyProof(read, from, to);
        expect(isConsistent(older, newer, proof)).to.equal(true);
        expect(isConsistent({ ...older, root: leafHash(older.root) }, newer, proof)).to.equal(false);
        expect(isConsistent(older, { ...newer, root: leafHash(newer.root) }, proof)).to.equal(false);
        const altered = proof.map((hash, i) => (i === at % proof.length ? leafHash(hash) : hash));
        expect(isConsistent(older, newer, altered)).to.equal(proof.length === 0);
      }),
      { numRuns: SAMPLES },
    );
  });
});

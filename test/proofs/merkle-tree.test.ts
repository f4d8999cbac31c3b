import { expect } from 'chai';
import * as fc from 'fast-check';
import { isConsistent, isIncluded } from '../../src/proofs/check-proof.ts';
import {
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  leafHash,
  nodeHash,
  rootHash,
  type Hash,
  type ReadNode,
} from '../../src/proofs/merkle-tree.ts';
import { TreeFrontier } from '../../src/proofs/tree-frontier.ts';
import { naiveConsistency, naivePath, naiveRoot } from './naive-tree.ts';

/** Inputs and roots that implementations of certificate transparency are tested with. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
/** Of leaf 0 in the tree of eight. */
const PATH = [
  '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
];

const readerOf = (leaves: readonly Buffer[]): ReadNode => {
  const levels: Hash[][] = [leaves.map(leafHash)];
  for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
    levels.push(
      Array.from({ length: Math.floor(below.length / 2) }, (_, i) =>
        nodeHash(below[2 * i] ?? EMPTY_ROOT, below[2 * i + 1] ?? EMPTY_ROOT),
      ),
    );
  }
  return (level, index) => levels[level]?.[index] ?? expect.fail(`no whole subtree at ${level}, ${index}`);
};

const leavesOf = (count: number): readonly Buffer[] =>
  Array.from({ length: count }, (_, i) => Buffer.from(`leaf ${i}`));

const MOST = 300;
/** Every size up to some, and those around powers of two up to the most. */
const SIZES = [...Array.from({ length: 70 }, (_, i) => i), 127, 128, 129, 255, 256, 257, MOST];

const hex = (hashes: readonly Hash[]): readonly string[] => hashes.map((one) => one.toString('hex'));

describe('the Merkle tree', () => {
  const all = leavesOf(MOST);
  const read = readerOf(all);
  const roots = Array.from({ length: MOST + 1 }, (_, size) => rootHash(read, size));
  const treeOf = (size: number): { readonly size: number; readonly root: Hash } => ({
    size,
    root: roots[size] ?? EMPTY_ROOT,
  });

  it('has the roots and paths of the test vectors', () => {
    const leaves = LEAVES.map((leaf) => Buffer.from(leaf, 'hex'));
    const ofVectors = readerOf(leaves);
    expect(hex(ROOTS.map((_, size) => rootHash(ofVectors, size)))).to.deep.equal(ROOTS);
    expect(hex(inclusionProof(ofVectors, 0, 8))).to.deep.equal(PATH);
  });

  it('has the root that the definition gives, whether it is read or appended to', () => {
    const frontier = new TreeFrontier();
    for (const [i, leaf] of [...all, null].entries()) {
      expect(frontier.size).to.equal(i);
      expect(frontier.root().equals(naiveRoot(all.slice(0, i))), `size ${i}`).to.equal(true);
      expect(frontier.root().equals(roots[i] ?? EMPTY_ROOT), `size ${i}`).to.equal(true);
      if (leaf !== null) frontier.append(leafHash(leaf));
    }
  });

  it('gives the inclusion proof of the definition for each leaf of each size, and it holds for that leaf alone', () => {
    for (const size of SIZES) {
      for (let index = 0; index < size; index += size > 70 ? 7 : 1) {
        const proof = inclusionProof(read, index, size);
        if (index % 5 === 0) expect(hex(proof)).to.deep.equal(hex(naivePath(index, all.slice(0, size))));
        const leaf = leafHash(all[index] ?? Buffer.alloc(0));
        expect(isIncluded(leaf, index, treeOf(size), proof), `${index} of ${size}`).to.equal(true);
        expect(isIncluded(leaf, index + 1, treeOf(size), proof)).to.equal(false);
        expect(isIncluded(leafHash(Buffer.from('another')), index, treeOf(size), proof)).to.equal(false);
        expect(isIncluded(leaf, index, treeOf(size), [...proof, leaf])).to.equal(false);
        if (proof.length > 0) expect(isIncluded(leaf, index, treeOf(size), proof.slice(1))).to.equal(false);
      }
    }
  });

  it('gives the consistency proof of the definition for each pair of sizes, and it holds for that pair alone', () => {
    for (const to of SIZES) {
      for (const from of SIZES.filter((size) => size <= to)) {
        const proof = consistencyProof(read, from, to);
        if (from > 0 && (from + to) % 7 === 0) {
          expect(hex(proof)).to.deep.equal(hex(naiveConsistency(from, all.slice(0, to))));
        }
        expect(isConsistent(treeOf(from), treeOf(to), proof), `${from} to ${to}`).to.equal(true);
        if (from === 0 || from === to) continue;
        const altered = { size: from, root: leafHash(Buffer.from('another')) };
        expect(isConsistent(altered, treeOf(to), proof)).to.equal(false);
        expect(isConsistent(treeOf(from), altered, proof)).to.equal(false);
        expect(isConsistent(treeOf(from), { ...treeOf(to), root: altered.root }, proof)).to.equal(false);
        expect(isConsistent(treeOf(from), treeOf(to), proof.slice(1))).to.equal(false);
      }
    }
  });

  it('is proven by no index or size that counts nothing, whatever a document says', () => {
    for (const index of [-1, -2, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      for (const size of [1, 2, 8, 129]) {
        const proof = inclusionProof(read, 0, size);
        const leaf = read(0, 0);
        expect(isIncluded(leaf, index, treeOf(size), proof), `leaf ${index} of ${size}`).to.equal(false);
        expect(isIncluded(leaf, 0, { ...treeOf(size), size: index }, proof), `size ${index}`).to.equal(false);
        const odd = { ...treeOf(size), size: index };
        expect(isConsistent(odd, treeOf(MOST), consistencyProof(read, size, MOST)), `from ${index}`).to.equal(false);
        expect(isConsistent(treeOf(size), odd, consistencyProof(read, size, MOST)), `to ${index}`).to.equal(false);
      }
    }
    // A tree of one leaf has no hashes on the way, so that only its index tells.
    expect(isIncluded(read(0, 0), 0, treeOf(1), [])).to.equal(true);
  });

  it('is proven by no hashes that were altered', () => {
    const flipped = (hashes: readonly Hash[], at: number): readonly Hash[] =>
      hashes.map((one, i) => (i === at % hashes.length ? leafHash(one) : one));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: MOST }), fc.nat(), fc.nat(), (size, index, at) => {
        const [leaf, from] = [index % size, 1 + (index % (size - 1))];
        const inclusion = flipped(inclusionProof(read, leaf, size), at);
        expect(isIncluded(read(0, leaf), leaf, treeOf(size), inclusion)).to.equal(false);
        const consistency = flipped(consistencyProof(read, from, size), at);
        expect(isConsistent(treeOf(from), treeOf(size), consistency)).to.equal(false);
      }),
    );
  });
});

import { EMPTY_ROOT, nodeHash, type Hash } from './merkle-tree.ts';

const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);

/** Whether a number counts something. Sizes and indexes of proofs may come from a document that somebody else made. */
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;

/**
 * Whether a leaf stands at an index of the tree with this size and root, by the hashes of an inclusion proof
 * (RFC 9162, 2.1.3.2).
 */
export const isIncluded = (
  leaf: Hash,
  index: number,
  { size, root }: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean => {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash.equals(root);
};

/** On which side of the hash that is there already each hash of an inclusion proof stands, from the leaf up. */
export const pathSides = (index: number, size: number): readonly ('left' | 'right')[] => {
  const sides: ('left' | 'right')[] = [];
  for (let [node, last] = [index, size - 1]; last > 0; [node, last] = [half(node), half(last)]) {
    if (isOdd(node)) sides.push('left');
    else if (node < last) sides.push('right');
  }
  return sides;
};

type Tree = { readonly size: number; readonly root: Hash };

/** Whether a tree is the beginning of another one, by the hashes of a consistency proof (RFC 9162, 2.1.4.2). */
export const isConsistent = (from: Tree, to: Tree, proof: readonly Hash[]): boolean => {
  if (!isCount(from.size) || !isCount(to.size) || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0 && from.root.equals(EMPTY_ROOT);
  let [node, last] = [from.size - 1, to.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // A tree of a power of two is a node of the other one, and its root need not be in the proof.
  const [first, ...others] = node === 0 ? [from.root, ...proof] : proof;
  if (first === undefined) return false;
  let [ofFrom, ofTo] = [first, first];
  for (const sibling of others) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      ofFrom = nodeHash(sibling, ofFrom);
      ofTo = nodeHash(sibling, ofTo);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      ofTo = nodeHash(ofTo, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && ofFrom.equals(from.root) && ofTo.equals(to.root);
};

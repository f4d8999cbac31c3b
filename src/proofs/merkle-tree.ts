import { hash } from 'node:crypto';

/** SHA-256 as its 32 bytes. */
export type Hash = Buffer;

export const HASH_BYTES = 32;

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** SHA-256, as a text of a character for each byte on the way: Node makes that in half the time that a buffer takes. */
const digest = (bytes: Buffer | string): Hash => Buffer.from(hash('sha256', bytes, 'latin1'), 'latin1');

/** Hash of a leaf (RFC 6962, 2.1), given as its bytes or its text: no hash of a leaf is ever one of a node. */
export const leafHash = (leaf: Buffer | string): Hash =>
  digest(typeof leaf === 'string' ? `\0${leaf}` : Buffer.concat([LEAF, leaf]));

/** Writes the hash of a leaf to its place among others. */
export const writeLeafHash = (leaf: string, hashes: Buffer, offset: number): void => {
  hashes.write(hash('sha256', `\0${leaf}`, 'latin1'), offset, HASH_BYTES, 'latin1');
};

/** Hash of a node over its two children. */
export const nodeHash = (left: Hash, right: Hash): Hash => digest(Buffer.concat([NODE, left, right]));

/** What the hash of a node is made of, filled anew for each: a tree of millions makes no buffer for every node. */
const PAIR = Buffer.concat([NODE, Buffer.alloc(2 * HASH_BYTES)]);

/** Root of the perfect subtree over hashes that lie one behind the other: a power of two of them, which stay as they are. */
export const perfectRoot = (hashes: Buffer): Hash => {
  const nodes = Buffer.from(hashes);
  for (let { length } = nodes; length > HASH_BYTES; length /= 2) {
    for (let at = 0; at < length; at += 2 * HASH_BYTES) {
      nodes.copy(PAIR, NODE.length, at, at + 2 * HASH_BYTES);
      nodes.write(hash('sha256', PAIR, 'latin1'), at / 2, HASH_BYTES, 'latin1');
    }
  }
  return nodes.subarray(0, HASH_BYTES);
};

/** Root of the tree without leaves. */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'buffer');

/**
 * Reads the root of a perfect subtree: that of the 2^level leaves from leaf index * 2^level on. It is asked for subtrees
 * that are whole, and for no others.
 */
export type ReadNode = (level: number, index: number) => Hash;

/** The greatest power of two below a number of two or more. */
const split = (leaves: number): number => {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
};

/** Root of the leaves from `begin` on, so many of them, at least one. `begin` is a multiple of a power of two that is not below their number. */
const subtreeRoot = (read: ReadNode, begin: number, leaves: number): Hash => {
  const left = leaves === 1 ? 1 : split(leaves);
  if (left * 2 === leaves || leaves === 1) return read(Math.log2(leaves), begin / leaves);
  return nodeHash(subtreeRoot(read, begin, left), subtreeRoot(read, begin + left, leaves - left));
};

/** Root of the first leaves of a tree, so many of them. */
export const rootHash = (read: ReadNode, size: number): Hash => (size === 0 ? EMPTY_ROOT : subtreeRoot(read, 0, size));

/** From the subtree of `width` leaves that begins `at` so many behind `begin`. */
const path = (read: ReadNode, at: number, width: number, begin: number, leaves: number): readonly Hash[] => {
  if (leaves === width) return [];
  const left = split(leaves);
  return at < left
    ? [...path(read, at, width, begin, left), subtreeRoot(read, begin + left, leaves - left)]
    : [...path(read, at - left, width, begin + left, leaves - left), subtreeRoot(read, begin, left)];
};

/** The hashes that lead from a leaf to the root of the first `size` leaves (RFC 6962, 2.1.1); `index` is below `size`. */
export const inclusionProof = (read: ReadNode, index: number, size: number): readonly Hash[] =>
  path(read, index, 1, 0, size);

/**
 * The hashes that lead from a perfect subtree, that of the 2^level leaves from leaf index * 2^level on, to the root of the
 * first `size` leaves: those that lead from a leaf of that index in a tree over such subtrees, the last of which need not be
 * whole.
 */
export const nodeProof = (read: ReadNode, level: number, index: number, size: number): readonly Hash[] =>
  path(read, index * 2 ** level, 2 ** level, 0, size);

const subproof = (read: ReadNode, from: number, begin: number, leaves: number, isKnown: boolean): readonly Hash[] => {
  if (from === leaves) return isKnown ? [] : [subtreeRoot(read, begin, leaves)];
  const left = split(leaves);
  return from <= left
    ? [...subproof(read, from, begin, left, isKnown), subtreeRoot(read, begin + left, leaves - left)]
    : [...subproof(read, from - left, begin + left, leaves - left, false), subtreeRoot(read, begin, left)];
};

/**
 * The hashes that show that the first `from` leaves of a tree are the beginning of its first `to` (RFC 6962, 2.1.2);
 * `from` is not above `to`. Every tree begins with the one without leaves: then there are none.
 */
export const consistencyProof = (read: ReadNode, from: number, to: number): readonly Hash[] =>
  from === 0 ? [] : subproof(read, from, 0, to, true);

import { hash } from 'node:crypto';

/** The definitions of RFC 6962, 2.1, word by word over lists of leaves: slow, and nothing of it is shared with the ledger's own. */
const sha256 = (...parts: readonly Buffer[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

const splitOf = (n: number): number => {
  let k = 1;
  while (2 * k < n) k = 2 * k;
  return k;
};

export const naiveRoot = (leaves: readonly Buffer[]): Buffer => {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), first);
  const k = splitOf(leaves.length);
  return sha256(Buffer.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
};

export const naivePath = (m: number, leaves: readonly Buffer[]): readonly Buffer[] => {
  if (leaves.length === 1) return [];
  const k = splitOf(leaves.length);
  return m < k
    ? [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))]
    : [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
};

const naiveSubproof = (m: number, leaves: readonly Buffer[], known: boolean): readonly Buffer[] => {
  if (m === leaves.length) return known ? [] : [naiveRoot(leaves)];
  const k = splitOf(leaves.length);
  return m <= k
    ? [...naiveSubproof(m, leaves.slice(0, k), known), naiveRoot(leaves.slice(k))]
    : [...naiveSubproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))];
};

export const naiveConsistency = (m: number, leaves: readonly Buffer[]): readonly Buffer[] =>
  naiveSubproof(m, leaves, true);

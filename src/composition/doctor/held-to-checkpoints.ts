import type { ExaminedLog } from '../../doctor/examined-log.ts';
import type { KeptCheckpoint } from '../../proofs/files/kept-checkpoints.ts';
import { eventLeafHash } from '../../proofs/log-leaf.ts';
import { HASH_BYTES, perfectRoot, rootHash } from '../../proofs/merkle-tree.ts';

/** What of a checkpoint says which log it is of. */
export type SignedRoot = Pick<KeptCheckpoint, 'size' | 'root'>;

/** Of the hashes of the leaves below a node of a level. */
const bytesBelow = (level: number): number => HASH_BYTES * 2 ** level;

/**
 * Whether a log has what checkpoints say, without any tree: computed of its events, where all of them were read. Null where there are
 * more, of which that would take too long, or none could be read.
 */
export const heldByEvents = (log: ExaminedLog, signed: readonly SignedRoot[]): boolean | null => {
  if (log._tag === 'NotThere') return signed.every(({ size }) => size === 0);
  if (log._tag !== 'Read' || !log.isWhole) return null;
  const leaves = Buffer.concat(log.newest.toReversed().map(eventLeafHash));
  const node = (level: number, index: number): Buffer =>
    perfectRoot(leaves.subarray(index * bytesBelow(level), (index + 1) * bytesBelow(level)));
  return signed.every(({ size, root }) => size * HASH_BYTES <= leaves.length && rootHash(node, size).equals(root));
};

import { positionAt } from '../src/domain/position.ts';
import { isConsistent, isIncluded } from '../src/proofs/check-proof.ts';
import { TreeFiles } from '../src/proofs/files/tree-files.ts';
import { TreeWriter } from '../src/proofs/files/tree-writer.ts';
import {
  consistencyProof,
  EMPTY_ROOT,
  inclusionProof,
  leafHash,
  nodeHash,
  type Hash,
} from '../src/proofs/merkle-tree.ts';
import { nodesInTiles } from '../src/proofs/tile.ts';
import type { OwnedResources } from './owned-resources.ts';
import { median, rounded } from './spread.ts';
import { threadTime } from './thread-time.ts';
import type { TreeCost } from './tree-cost.ts';

/** Milliseconds of so many proofs, and those of processor time, which a machine that does other things makes no longer. */
type Times = { readonly median: number; readonly p99: number; readonly max: number; readonly processorP99: number };

/** What `bench -- proofs` comes to. */
export type ProofsResult = {
  readonly benchmark: 'proofs';
  readonly leaves: number;
  /** The tree's files while they are appended to, as the keeper does. */
  readonly leavesPerSecond: number;
  /** Hashing alone what a tree hashes: two digests for each leaf. */
  readonly baselineLeavesPerSecond: number;
  readonly ratio: number;
  readonly goalMs: number;
  /** Of one proof with the root that it leads to. */
  readonly inclusionMs: Times;
  readonly consistencyMs: Times;
  /** Proofs that did not hold. */
  readonly wrong: number;
};

/** With what the tree costs while deliveries come. */
export type ProofsAndCost = ProofsResult & { readonly ingest: TreeCost };

const GOAL_MS = 5;
const PROOFS = 500;

const timed = <A>(work: () => A): readonly [A, Took] => {
  const [used, begun] = [threadTime(), performance.now()];
  const result = work();
  const ms = performance.now() - begun;
  return [result, { ms, processorMs: (threadTime() - used) / 1_000 }];
};

/** A leaf of about the length that events have. */
const leafTextOf = (index: number): string => `${String(index).padStart(12, '0')}${'x'.repeat(200)}`;

const leafOf = (index: number): Hash => leafHash(leafTextOf(index));

const grow = (files: TreeFiles, leaves: number): void => {
  const writer = new TreeWriter(files, 0);
  for (let index = 0; index < leaves; index += 1) writer.append(leafTextOf(index), positionAt(index + 1));
  writer.flush();
};

const hashAlone = (leaves: number): Hash => {
  let node: Hash = EMPTY_ROOT;
  for (let index = 0; index < leaves; index += 1) node = nodeHash(node, leafOf(index));
  return node;
};

/** Indexes all over a tree, the same in each run. */
const spreadOver = (leaves: number): readonly number[] =>
  Array.from({ length: PROOFS }, (_, i) => Math.floor(((i * 0.618_033_988_75) % 1) * leaves));

type Took = { readonly ms: number; readonly processorMs: number };

const p99 = (ms: readonly number[]): number =>
  rounded(ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.99)] ?? 0, 3);

const figures = (took: readonly Took[]): Times => {
  const ms = took.map((each) => each.ms);
  return {
    median: rounded(median(ms), 3),
    p99: p99(ms),
    max: rounded(Math.max(...ms), 3),
    processorP99: p99(took.map(({ processorMs }) => processorMs)),
  };
};

/** Grows a tree in files of a folder of its own, and takes proofs out of it. */
export const measureProofs = (
  { directory, remove }: Pick<OwnedResources, 'directory' | 'remove'>,
  leaves: number,
  note: (line: string) => void,
): ProofsResult => {
  const folder = directory();
  try {
    const files = new TreeFiles(folder, 'append');
    note(`growing a tree of ${leaves} leaves`);
    const [, growing] = timed(() => grow(files, leaves));
    const sample = Math.min(leaves, 1_000_000);
    const [, alone] = timed(() => hashAlone(sample));
    const read = nodesInTiles(files.readHashes);
    const root = files.rootOf(leaves);
    let wrong = 0;
    const inclusions = spreadOver(leaves).map((index) => {
      const [[proof, to], took] = timed(() => [inclusionProof(read, index, leaves), files.rootOf(leaves)] as const);
      if (!isIncluded(leafOf(index), index, { size: leaves, root: to }, proof)) wrong += 1;
      return took;
    });
    const consistencies = spreadOver(leaves).map((index) => {
      const size = index + 1;
      const [[proof, from], took] = timed(() => [consistencyProof(read, size, leaves), files.rootOf(size)] as const);
      if (!isConsistent({ size, root: from }, { size: leaves, root }, proof)) wrong += 1;
      return took;
    });
    files.close();
    const perSecond = (leaves / growing.ms) * 1_000;
    const baseline = (sample / alone.ms) * 1_000;
    return {
      benchmark: 'proofs',
      leaves,
      leavesPerSecond: Math.round(perSecond),
      baselineLeavesPerSecond: Math.round(baseline),
      ratio: rounded(perSecond / baseline, 3),
      goalMs: GOAL_MS,
      inclusionMs: figures(inclusions),
      consistencyMs: figures(consistencies),
      wrong,
    };
  } finally {
    remove(folder);
  }
};

import { statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Config } from '../../config/index.ts';
import type { CheckpointsSeen } from '../../doctor/checkpoints-check.ts';
import type { ExaminedLog } from '../../doctor/examined-log.ts';
import type { Position } from '../../domain/ids.ts';
import { UnusableFile } from '../../files/unusable-file.ts';
import { logVerifiers, type LogIdentity } from '../../proofs/checkpoint.ts';
import { readLosses } from '../../proofs/files/accepted-losses.ts';
import { goneCheckpoints, goneKeys } from '../../proofs/files/gone-files.ts';
import { newestOfOtherNames } from '../../proofs/files/held-names.ts';
import { unknownPast, type UnknownPast } from '../../proofs/files/unknown-past.ts';
import { readCheckpoints, type KeptCheckpoint } from '../../proofs/files/kept-checkpoints.ts';
import { nameOfLog } from '../../proofs/files/log-keys.ts';
import { TreeFiles } from '../../proofs/files/tree-files.ts';
import { treeFolder } from '../../proofs/files/tree-folder.ts';
import { readWitnessStates } from '../../proofs/files/witness-states.ts';
import { eventLeafHash } from '../../proofs/log-leaf.ts';
import type { Hash } from '../../proofs/merkle-tree.ts';
import { checkNote, parseNote } from '../../proofs/signed-note.ts';
import { heldByEvents, type SignedRoot } from './held-to-checkpoints.ts';

/** The last leaf of a tree: which event it should be, and where. */
type LastLeaf = { readonly position: Position; readonly hash: Hash };

/** What the log is held to, under whichever name it was signed. */
type HeldTo = {
  /** The last leaf of the largest checkpoint. Null where the tree lacks one; undefined where there is no tree, which the next start makes. */
  readonly last: LastLeaf | null | undefined;
  /** Where the tree lacks one, all that the log is held to: the tree follows from the log, and may be damaged by itself. */
  readonly lacked: readonly SignedRoot[];
  /** The name of that checkpoint, or of the one that the tree lacks; null: it is that of now. */
  readonly otherName: string | null;
};

type Unreadable = Extract<CheckpointsSeen, { readonly _tag: 'Unreadable' }>;

/** What is wrong with the file that can't be read, and what to do about it, where that is known. */
const unreadable = (error: unknown): Unreadable => {
  if (error instanceof UnusableFile) return { _tag: 'Unreadable', detail: error.detail, cure: error.cure };
  return { _tag: 'Unreadable', detail: error instanceof Error ? error.message : String(error), cure: null };
};

/** What is kept of what was signed. */
type HeldLog =
  | Unreadable
  | { readonly _tag: 'Gone'; readonly detail: string }
  | (Omit<Extract<CheckpointsSeen, { readonly _tag: 'NotSigned' }>, 'inLog' | 'treeLacks'> & HeldTo)
  | ({
      readonly _tag: 'Signed';
      readonly newest: KeptCheckpoint;
    } & HeldTo &
      Pick<
        Extract<CheckpointsSeen, { readonly _tag: 'Signed' }>,
        'byKeyOfNow' | 'retiredSigns' | 'goneKeys' | 'losses' | 'witnesses'
      >);

/** What the files of a data directory say of what was signed: that more may have been, too, and then also what is `kept`. */
export type KeptLog = HeldLog | { readonly _tag: 'Unknown'; readonly past: UnknownPast; readonly kept: HeldLog };

/** What a log is held to that was signed, the newest checkpoint of each name. */
const heldTo = (dataDir: string, origin: string, newest: readonly KeptCheckpoint[]): HeldTo => {
  const nameIn = (one: KeptCheckpoint): string | null => (one.origin === origin ? null : one.origin);
  const [largest] = newest.toSorted((a, b) => b.size - a.size);
  if (largest === undefined || largest.size === 0) return { last: undefined, lacked: [], otherName: null };
  // A file in its place is named with the data directory.
  if (statSync(treeFolder(dataDir), { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { last: undefined, lacked: [], otherName: nameIn(largest) };
  }
  const files = new TreeFiles(treeFolder(dataDir), 'read');
  try {
    const lacking = newest.find(({ size, root }) => !files.holds(size) || !files.rootOf(size).equals(root));
    if (lacking !== undefined) {
      const lacked = newest.map(({ size, root }) => ({ size, root }));
      return { last: null, lacked, otherName: nameIn(lacking) };
    }
    const at = largest.size - 1;
    const last = { position: files.positionOf(at), hash: files.readHashes(0, at, 1) };
    return { last, lacked: [], otherName: nameIn(largest) };
  } finally {
    files.close();
  }
};

const isSignedNow = ({ note }: KeptCheckpoint, identity: LogIdentity): boolean => {
  const parsed = parseNote(note);
  return parsed !== null && E.isRight(checkNote(parsed, logVerifiers(identity)[0]));
};

/** What is told of where a log is looked at. */
type Looked = Pick<Config, 'dataDir' | 'logIdentity' | 'witnesses'>;

const heldLog = ({ dataDir, logIdentity, witnesses: configured }: Looked): HeldLog => {
  try {
    const origin = nameOfLog(dataDir, logIdentity);
    if (origin === null) return { _tag: 'NotSigned', otherName: null, last: undefined, lacked: [] };
    const checkpoints = readCheckpoints(dataDir, origin);
    const newest = checkpoints.at(-1);
    const gone = goneCheckpoints(dataDir, origin);
    if (gone !== null) return { _tag: 'Gone', detail: gone };
    const others = newestOfOtherNames(dataDir, origin);
    if (newest === undefined) {
      const held = heldTo(dataDir, origin, others);
      return { _tag: 'NotSigned', ...held, otherName: held.otherName ?? others.at(-1)?.origin ?? null };
    }
    const names = new Set(configured.map(({ name }) => name));
    const witnesses = readWitnessStates(dataDir)
      .filter(({ name, state }) => names.has(name) && (state === 'refused' || state === 'failed'))
      .map(({ name, state, detail }) => ({ name, refused: state === 'refused', detail: detail ?? '' }));
    return {
      _tag: 'Signed',
      newest,
      ...heldTo(dataDir, origin, [newest, ...others]),
      byKeyOfNow: logIdentity === null || isSignedNow(newest, logIdentity),
      retiredSigns: logIdentity !== null && logIdentity.retiredKey !== null,
      goneKeys: goneKeys(dataDir, origin, checkpoints, logIdentity),
      losses: readLosses(dataDir),
      witnesses,
    };
  } catch (error) {
    return unreadable(error);
  }
};

/** Looks at what a ledger has signed. It changes nothing. */
export const lookAtKeptLog = (config: Looked): KeptLog => {
  const kept = heldLog(config);
  const { dataDir, logIdentity } = config;
  if (kept._tag === 'Unreadable' || kept._tag === 'Gone' || logIdentity === null) return kept;
  try {
    const past = unknownPast(dataDir, logIdentity);
    return past === null ? kept : { _tag: 'Unknown', past, kept };
  } catch (error) {
    return unreadable(error);
  }
};

/** Where the log must have the last event that was signed; null where there is none to look for. */
export const lastSignedPosition = (kept: KeptLog): Position | null =>
  kept._tag === 'Signed' || kept._tag === 'NotSigned' ? (kept.last?.position ?? null) : null;

/** Whether the log has the last event that was signed; null: not known now. */
const isInLog = ({ last, lacked }: HeldTo, log: ExaminedLog): boolean | null => {
  if (last === null) return heldByEvents(log, lacked);
  if (last === undefined || log._tag === 'Away') return null;
  const event = log._tag === 'Read' ? log.signed : null;
  return event !== null && eventLeafHash(event).equals(last.hash);
};

/** Whether a log has an event; null: not known now. */
const hasEvents = (log: ExaminedLog): boolean | null =>
  log._tag === 'Away' ? null : log._tag === 'Read' && log.newest.length > 0;

/** What was signed, held to the log as far as that is quick: `verify` holds all of it. */
export const checkpointsSeen = (kept: KeptLog, log: ExaminedLog): CheckpointsSeen => {
  if (kept._tag === 'Unknown') {
    // A log without events contradicts nobody: where it can't be asked, it may be one that begins.
    const has = hasEvents(log) ?? !kept.past.isAll;
    return has ? { _tag: 'Unknown', detail: kept.past.detail } : checkpointsSeen(kept.kept, log);
  }
  if (kept._tag === 'NotSigned') {
    return { _tag: kept._tag, otherName: kept.otherName, inLog: isInLog(kept, log), treeLacks: kept.last === null };
  }
  if (kept._tag !== 'Signed') return kept;
  const { newest, last, lacked: _, ...rest } = kept;
  return { ...rest, size: newest.size, signedAt: newest.signedAt, inLog: isInLog(kept, log), treeLacks: last === null };
};

import { existsSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Config } from '../../config/index.ts';
import type { CheckpointsSeen } from '../../doctor/checkpoints-check.ts';
import type { ExaminedLog } from '../../doctor/examined-log.ts';
import type { Position } from '../../domain/ids.ts';
import { logVerifiers, type LogIdentity } from '../../proofs/checkpoint.ts';
import { readLosses } from '../../proofs/files/accepted-losses.ts';
import { goneCheckpoints, goneKeys } from '../../proofs/files/gone-files.ts';
import { readCheckpoints, type KeptCheckpoint } from '../../proofs/files/kept-checkpoints.ts';
import { nameOfLog, readLogKeys } from '../../proofs/files/log-keys.ts';
import { TreeFiles } from '../../proofs/files/tree-files.ts';
import { treeFolder } from '../../proofs/files/tree-folder.ts';
import { readWitnessStates } from '../../proofs/files/witness-states.ts';
import { eventLeafHash } from '../../proofs/log-leaf.ts';
import type { Hash } from '../../proofs/merkle-tree.ts';
import { checkNote, parseNote } from '../../proofs/signed-note.ts';

/** The last leaf of a tree: which event it should be, and where. */
type LastLeaf = { readonly position: Position; readonly hash: Hash };

/** What the files of a data directory say of what was signed. */
export type KeptLog =
  | Extract<CheckpointsSeen, { readonly _tag: 'NotSigned' }>
  | { readonly _tag: 'Unreadable' | 'Gone'; readonly detail: string }
  | ({
      readonly _tag: 'Signed';
      readonly newest: KeptCheckpoint;
      /** Null where the tree does not have the checkpoint; undefined where there is no tree, which the next start makes. */
      readonly last: LastLeaf | null | undefined;
    } & Pick<
      Extract<CheckpointsSeen, { readonly _tag: 'Signed' }>,
      'byKeyOfNow' | 'retiredSigns' | 'goneKeys' | 'losses' | 'witnesses'
    >);

const lastLeafOf = (dataDir: string, { size, root }: KeptCheckpoint): LastLeaf | null | undefined => {
  if (!existsSync(treeFolder(dataDir))) return undefined;
  const files = new TreeFiles(treeFolder(dataDir), 'read');
  try {
    if (!files.holds(size) || !files.rootOf(size).equals(root)) return null;
    return { position: files.positionOf(size - 1), hash: files.readHashes(0, size - 1, 1) };
  } finally {
    files.close();
  }
};

const isSignedNow = ({ note }: KeptCheckpoint, identity: LogIdentity): boolean => {
  const parsed = parseNote(note);
  return parsed !== null && E.isRight(checkNote(parsed, logVerifiers(identity)[0]));
};

/** Another name than that of now which has signed here, the last one; names of logs that ended by a loss are meant to be of the past. */
const otherNameIn = (dataDir: string, origin: string | null): string | null => {
  const ended = readLosses(dataDir).map(({ from }) => from);
  const others = readLogKeys(dataDir)
    .map(({ name }) => name)
    .filter((name) => name !== origin && !ended.includes(name));
  return others.findLast((name) => readCheckpoints(dataDir, name).length > 0) ?? null;
};

/** Looks at what a ledger has signed. It changes nothing. */
export const lookAtKeptLog = ({
  dataDir,
  logIdentity,
  witnesses: configured,
}: Pick<Config, 'dataDir' | 'logIdentity' | 'witnesses'>): KeptLog => {
  try {
    const origin = nameOfLog(dataDir, logIdentity);
    const checkpoints = origin === null ? [] : readCheckpoints(dataDir, origin);
    const newest = checkpoints.at(-1);
    const gone = origin === null ? null : goneCheckpoints(dataDir, origin);
    if (gone !== null) return { _tag: 'Gone', detail: gone };
    if (newest === undefined || origin === null) return { _tag: 'NotSigned', otherName: otherNameIn(dataDir, origin) };
    const last = newest.size === 0 ? undefined : lastLeafOf(dataDir, newest);
    const names = new Set(configured.map(({ name }) => name));
    const witnesses = readWitnessStates(dataDir)
      .filter(({ name, state }) => names.has(name) && (state === 'refused' || state === 'failed'))
      .map(({ name, state, detail }) => ({ name, refused: state === 'refused', detail: detail ?? '' }));
    return {
      _tag: 'Signed',
      newest,
      last,
      byKeyOfNow: logIdentity === null || isSignedNow(newest, logIdentity),
      retiredSigns: logIdentity !== null && logIdentity.retiredKey !== null,
      goneKeys: goneKeys(dataDir, origin, checkpoints),
      losses: readLosses(dataDir),
      witnesses,
    };
  } catch (error) {
    return { _tag: 'Unreadable', detail: error instanceof Error ? error.message : String(error) };
  }
};

/** Where the log must have the last event that was signed; null where there is none to look for. */
export const lastSignedPosition = (kept: KeptLog): Position | null =>
  kept._tag === 'Signed' ? (kept.last?.position ?? null) : null;

/** What was signed, held to the log as far as that is quick: `verify` holds all of it. */
export const checkpointsSeen = (kept: KeptLog, log: ExaminedLog): CheckpointsSeen => {
  if (kept._tag !== 'Signed') return kept;
  const { _tag, newest, last, ...rest } = kept;
  const seen = { _tag, size: newest.size, signedAt: newest.signedAt, ...rest } as const;
  if (last === null) return { ...seen, inLog: false };
  if (last === undefined || log._tag === 'Away') return { ...seen, inLog: null };
  const event = log._tag === 'Read' ? log.signed : null;
  return { ...seen, inLog: event !== null && eventLeafHash(event).equals(last.hash) };
};

import { sign } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { inTime } from '../concurrency/in-time.ts';
import type { Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import { checkpointIn, logVerifiers, signedCheckpoint, type LogIdentity } from './checkpoint.ts';
import { readLosses } from './files/accepted-losses.ts';
import { readLogKeys } from './files/log-keys.ts';
import { TreeFiles } from './files/tree-files.ts';
import { treeFolder } from './files/tree-folder.ts';
import { HeldTree } from './held-tree.ts';
import type { KeeperNews } from './keeper-news.ts';
import { failedProofLog } from './no-proof-log.ts';
import type { HandedLog, ProofFailure, ProofLog, ProofsBehind, SignedLog } from './proof-log.ts';
import { noteVerifier, verifierLine } from './signed-note.ts';
import type { WitnessState } from './witness/witness-state.ts';

const behind = (detail: string | null): ProofsBehind => ({ _tag: 'ProofsBehind', detail });

const NOT_YET = behind(null);

const UNPLACED =
  'the tree of the log has no place for an event that it was signed with: a ledger that serves makes it right from the events';

/** The log as it is signed, for whoever asks, in the thread that answers; it is kept in another one. */
export type ServedLog = ProofLog & {
  /** To be told what the keeper tells. */
  readonly onNews: (news: KeeperNews) => void;
  readonly close: () => void;
};

/**
 * Serves proofs out of the files that the keeper of a data directory writes.
 *
 * @param onSuspicion told when the files, or the events at their positions, do not lead to what was signed: whoever keeps them
 *   finds out why
 */
export const serveLog = (
  dataDir: string,
  configured: LogIdentity,
  witnesses: readonly { readonly line: string; readonly name: string }[],
  onSuspicion: () => void,
): ServedLog => {
  const states = new Map<string, WitnessState>();
  let identity = configured;
  let state: E.Either<ProofFailure, SignedLog> = E.left(NOT_YET);
  let files: TreeFiles | null = null;
  const waiting = new Set<() => void>();

  const includes = (position: Position | null): boolean =>
    E.isRight(state) && comparePositions(state.right.position, position) >= 0;

  /** Whether an event stands at or before the last one of a size, as it is signed where that is the newest. */
  const isSigned = (from: TreeFiles, position: Position, size: number): boolean => {
    if (E.isRight(state) && state.right.size === size) return comparePositions(position, state.right.position) <= 0;
    return size > 0 && comparePositions(position, from.positionOf(size - 1)) <= 0;
  };

  /** Reads the files, which are there as soon as something is signed, as far as they are what was signed last. */
  const read =
    <A>(ask: (tree: HeldTree, from: TreeFiles) => A): TE.TaskEither<ProofFailure, A> =>
    () =>
      Promise.resolve(
        E.flatMap(state, ({ note }): E.Either<ProofFailure, A> => {
          const signed = checkpointIn(note);
          if (signed === null) return E.left(NOT_YET);
          return E.tryCatch(
            () => {
              const from = (files ??= new TreeFiles(treeFolder(dataDir), 'read'));
              return ask(new HeldTree(from.readHashes, signed), from);
            },
            (error) => {
              onSuspicion();
              return behind(error instanceof Error ? error.message : String(error));
            },
          );
        }),
      );

  return {
    verifierLine: () => verifierLine(noteVerifier(identity.origin, identity.signingKey)),
    verifierLines: () => {
      const former = readLogKeys(dataDir).filter(({ name }) => name === identity.origin);
      return [...new Set([...logVerifiers(identity), ...former].map(verifierLine))];
    },
    formerLogs: () => readLosses(dataDir),
    signList: (list) => E.right(sign(null, Buffer.from(list), identity.signingKey)),
    including: (position, withinMs) => async () => {
      if (E.isRight(state) && includes(position)) return state;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const look = (): void => {
        if (includes(position) || (E.isLeft(state) && state.left._tag === 'HistoryLost')) resolve(undefined);
      };
      waiting.add(look);
      look();
      await inTime(withinMs, promise, undefined);
      waiting.delete(look);
      if (E.isLeft(state) || includes(position)) return state;
      return E.left(behind(null));
    },
    witnesses: () =>
      witnesses.map(({ line, name }) => ({
        line,
        state: states.get(name) ?? { name, state: 'waiting', size: null, at: null, detail: null },
      })),
    newest: () => () => Promise.resolve(state),
    handed: () => E.map((signed: SignedLog): HandedLog => ({ dataDir, identity, witnesses, signed }))(state),
    noteOf: (size) =>
      E.isRight(state) && state.right.size === size
        ? TE.right(state.right.note)
        : read((tree) => signedCheckpoint(identity, size, tree.root(size))),
    rootOf: (size) => read((tree) => tree.root(size)),
    indexOf: (position, size) =>
      read((tree, from) => {
        const index = from.indexOf(position, size);
        if (index === null && isSigned(from, position, size)) throw new Error(UNPLACED);
        // It may be none of what the files hold by now.
        if (index === null) tree.expectWhole();
        return index;
      }),
    positions: (index, count) =>
      read((_, from) => Array.from({ length: count }, (__, i) => from.positionOf(index + i))),
    inclusion: (leaf, index, size) => read((tree) => tree.inclusion(leaf, index, size)),
    bundle: (tile, leaves) => read((tree) => tree.expectLeaves(tile, leaves)),
    consistency: (from, to) => read((tree) => tree.consistency(from, to)),
    tile: (level, tile) => read((tree) => tree.tile(level, tile)),
    onNews: (news) => {
      if (news._tag === 'LogFailed' || news._tag === 'LogKeysGone' || news._tag === 'LogTreeMended') return;
      if (news._tag === 'Witnessed') {
        states.set(news.witness.name, news.witness);
        return;
      }
      if (news._tag === 'LogSigned') identity = { ...identity, origin: news.origin };
      state =
        news._tag === 'LogLost'
          ? E.left({ _tag: 'HistoryLost', detail: news.detail })
          : E.right({ note: news.note, size: news.size, position: news.position, signedAt: news.signedAt });
      for (const look of waiting) look();
    },
    close: () => files?.close(),
  };
};

/**
 * Serves a log as it was signed when it was handed over, or why it was not: a newer checkpoint is waited for by who hands it
 * over.
 */
export const serveHandedLog = (
  handed: E.Either<ProofFailure, HandedLog>,
  onSuspicion: () => void,
): ProofLog & Pick<ServedLog, 'close'> => {
  if (E.isLeft(handed)) return { ...failedProofLog(handed.left), close: () => undefined };
  const { dataDir, identity, witnesses, signed } = handed.right;
  const served = serveLog(dataDir, identity, witnesses, onSuspicion);
  served.onNews({ _tag: 'LogSigned', origin: identity.origin, ...signed });
  return { ...served, including: (position) => served.including(position, 0) };
};

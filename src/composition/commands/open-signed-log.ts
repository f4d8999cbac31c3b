import * as E from 'fp-ts/lib/Either.js';
import type { SignedLogOfNow } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import type { Config } from '../../config/index.ts';
import type { Position } from '../../domain/ids.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { TreeFiles } from '../../proofs/files/tree-files.ts';
import { treeFolder } from '../../proofs/files/tree-folder.ts';
import { serveLog } from '../../proofs/serve-log.ts';
import { signCheckpoint } from './sign-checkpoint.ts';

const lastPosition = (dataDir: string, size: number): Position | null => {
  if (size === 0) return null;
  const files = new TreeFiles(treeFolder(dataDir), 'read');
  try {
    return files.positionOf(size - 1);
  } finally {
    files.close();
  }
};

/** The log as it is signed with all events of now, for a command. */
export const openSignedLog = async (
  config: Config,
  store: Pick<EventStore, 'head' | 'readAll' | 'readAt'>,
): Promise<E.Either<CommandFailure, SignedLogOfNow>> => {
  const { dataDir, logIdentity, witnesses } = config;
  const signed = await signCheckpoint(config, store);
  if (E.isLeft(signed)) return signed;
  if (logIdentity === null) return failing(1, 'nothing is signed');
  try {
    const { origin, note, size, signedAt } = signed.right;
    const position = lastPosition(dataDir, size);
    // A ledger that serves finds it too; where none does, the next start is told by whoever asks it.
    const proofs = serveLog(dataDir, logIdentity, witnesses, () => undefined);
    proofs.onNews({ _tag: 'LogSigned', origin, note, size, position, signedAt });
    return E.right({ proofs, close: proofs.close });
  } catch (error) {
    return failing(1, error instanceof Error ? error.message : String(error));
  }
};

import { createHash } from 'node:crypto';
import { createReadStream, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { BackedUp } from '../../cli/backup.ts';
import type { Terminal } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { writingTrouble } from '../../cli/file-trouble.ts';
import { configErrorLine, misplacedDatabases, type Environment } from '../../config/index.ts';
import { troubleLine } from '../../domain/trouble.ts';
import { syncFolderOf } from '../../event-store/durable-writes.ts';
import { storeExists } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { OnBuildProgress } from '../../read-models/build-progress.ts';
import { copyInThread } from '../../threads/threaded-backup.ts';
import { emptiedStore } from '../emptied-store.ts';
import { bankFilesIn } from '../kept-files.ts';
import { beginDraft } from './begin-draft.ts';
import { commandConfig } from './command-config.ts';
import { isLedgerFolder, noLedger } from './ledger-folder.ts';
import { outFaultIn } from './out-fault.ts';

const digestOf = async (file: string): Promise<string> => {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  return digest.digest('hex');
};

/** Hands a finished copy over: under its name, in place of what was there, or along standard output. */
const handOver = async ({ pipeOut }: Pick<Terminal, 'pipeOut'>, draft: string, out: string | null): Promise<void> => {
  if (out === null) return pipeOut(createReadStream(draft));
  renameSync(draft, out);
  syncFolderOf(out);
};

const unwritable = (out: string | null, trouble: string): string =>
  `${out ?? 'standard output'} can't be written (${trouble})`;

const LOST =
  'standard output is closed or the null device, and would keep nothing of the backup: send it to a file or a program, or name a file';

/**
 * Copies the configured ledger's events and bank files into one file, while it serves (docs/operating.md, Backup).
 *
 * @param out where to; null: standard output, by way of a file in the data directory
 */
export const backUpLedger = async (
  env: Environment,
  terminal: Pick<Terminal, 'pipeOut' | 'outIsLost'>,
  out: string | null,
  onProgress: OnBuildProgress,
): Promise<E.Either<CommandFailure, BackedUp>> => {
  const loaded = commandConfig(env);
  if (E.isLeft(loaded)) return loaded;
  const config = loaded.right;
  if (out === null && terminal.outIsLost) return failing(1, LOST);
  const { eventStore, dataDir } = config;
  if (eventStore.kind !== 'sqlite') {
    return failing(
      1,
      'the events are in EventStoreDB, which has backups of its own (docs/operating.md, Backup); ramp-ledger migrate --to sqlite:FILE copies them into a file',
    );
  }
  const fault = out === null ? null : outFaultIn(env, config, out);
  if (fault !== null) return failing(1, fault);
  const emptied = await emptiedStore(config);
  if (emptied !== null) return failing(1, troubleLine(emptied));
  if (!storeExists({ file: eventStore.file, dataDir })) {
    return isLedgerFolder(dataDir)
      ? failing(1, `${eventStore.file} is not there: there is no event to back up yet`)
      : failing(2, noLedger(dataDir));
  }
  const { file: draft, end } = beginDraft(out ?? join(dataDir, 'backup'));
  try {
    const bankFilesFolder = bankFilesIn(dataDir);
    const copied = await copyInThread(
      { _tag: 'Copy', file: eventStore.file, draft, bankFiles: bankFilesFolder },
      onProgress,
    );
    if (copied._tag === 'Refused') {
      const [misplaced] = misplacedDatabases(config, ['EVENT_STORE_URL']);
      return misplaced === undefined ? failing(1, copied.line) : failing(2, configErrorLine(misplaced));
    }
    if (copied._tag === 'Unwritten') return failing(1, unwritable(out, copied.trouble));
    const { content, bankFiles, damaged } = copied;
    const { size: bytes } = statSync(draft);
    const sha256 = await digestOf(draft);
    await handOver(terminal, draft, out);
    const [first] = damaged;
    if (first !== undefined) {
      return failing(
        1,
        `bank files are damaged and not in the backup, all else is: ${damaged.length} in ${bankFilesFolder}, the first ${first}; take them out of the folder and import them again`,
      );
    }
    return E.right({ ...content, bytes, bankFiles, sha256 });
  } catch (error) {
    return failing(1, unwritable(out, writingTrouble(error)));
  } finally {
    end();
  }
};

import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Restored, RestoreRequest } from '../../cli/backup.ts';
import type { Terminal } from '../../cli/command-context.ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { inputFault } from '../../cli/input-fault.ts';
import type { Config, Environment } from '../../config/index.ts';
import { troubleLine } from '../../domain/trouble.ts';
import { placeOfFile } from '../../event-store/place-of-file.ts';
import { syncFolderOf } from '../../event-store/durable-writes.ts';
import type { OpenError } from '../../event-store/sqlite/open-error.ts';
import { orphanLog } from '../../event-store/orphan-log.ts';
import { setAside } from '../../event-store/sqlite/set-aside.ts';
import { unpackBankFiles } from '../../event-store/sqlite/backed-up-files.ts';
import { examineForeign } from '../../event-store/sqlite/back-up.ts';
import { lockLedger } from '../../event-store/sqlite/sqlite-event-store.ts';
import { endRestored, noteRestored } from '../../proofs/files/restored-log.ts';
import { bankFilesIn } from '../kept-files.ts';
import { openGenerations } from '../open-generations.ts';
import { usedByAnother } from '../read-models-lock.ts';
import { beginDraft } from './begin-draft.ts';
import { commandConfig } from './command-config.ts';

type Places = {
  readonly file: string;
  readonly config: Config;
  readonly draft: string;
  readonly bankFiles: string;
};

/**
 * Puts a copy that was looked through in the place of the store; what reads models of it had is built anew. Its answer is
 * whether more may have been signed of the log than the data directory keeps.
 */
const exchanged = (
  { file, config, draft }: Places,
  aside: string | null,
  events: number,
): E.Either<CommandFailure, boolean> => {
  const generations = openGenerations(config);
  if (E.isLeft(generations)) return generations;
  generations.right.serveNone();
  generations.right.close();
  const kept = aside === null ? E.right(undefined) : setAside(file, aside);
  if (E.isLeft(kept)) return failing(1, troubleLine(kept.left));
  // Before the events are there: whoever is ended between the two signs nothing, rather than what contradicts others.
  const mayLack = noteRestored(config.dataDir, events);
  try {
    renameSync(draft, file);
  } catch (error) {
    endRestored(config.dataDir);
    throw error;
  }
  syncFolderOf(file);
  return E.right(mayLack);
};

const MAGIC = Buffer.from('SQLite format 3\0');

/** The bytes of a database. What is none has no more taken of it than its first piece: it may have no end. */
async function* databaseIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array = Buffer.alloc(0);
  for await (const piece of bytes) {
    if (begun.length < MAGIC.length) {
      begun = Buffer.concat([begun, piece]);
      if (!MAGIC.subarray(0, begun.length).equals(begun.subarray(0, MAGIC.length))) throw new NoDatabase();
    }
    yield piece;
  }
  if (begun.length < MAGIC.length) throw new NoDatabase();
}

class NoDatabase extends Error {
  constructor() {
    super('it is damaged, or was not written by ramp-ledger backup');
  }
}

/** The copy that was looked through is gone when this is read: what is named, and can be mended, is the backup. */
const unusable = (found: OpenError, draft: string, from: string | null): string => {
  const named = (text: string): string => text.replaceAll(draft, from ?? 'standard input');
  const { detail, cure } = found;
  const again = 'take it again from where it is kept, in its whole length, or restore an older one';
  const helps = found._tag === 'StoreDamaged' ? again : cure === null ? null : named(cure);
  return `the backup can't be used: ${troubleLine({ detail: named(detail), cure: helps })}`;
};

const restored = async (
  { input }: Pick<Terminal, 'input'>,
  places: Places,
  request: RestoreRequest,
): Promise<E.Either<CommandFailure, Restored>> => {
  const { file, draft } = places;
  const there = orphanLog(file) ?? (existsSync(file) ? file : null);
  if (there !== null && !request.setAside) {
    return failing(
      1,
      `${there} is there already; --set-aside keeps it under another name and puts the backup in its place`,
    );
  }
  // Open before anything is read: a file that is still being made when reading fails would come after its removal.
  const written = await open(draft, 'wx', 0o600);
  await pipeline(
    databaseIn(request.from === null ? input() : createReadStream(request.from)),
    written.createWriteStream(),
  );
  const content = examineForeign(draft);
  if (E.isLeft(content)) return failing(1, unusable(content.left, draft, request.from));
  const unpacked = unpackBankFiles(draft, places.bankFiles);
  if (E.isLeft(unpacked)) return failing(1, `the backup can't be used: ${unpacked.left}`);
  const bankFiles = unpacked.right;
  const aside = there !== null ? `${file}.set-aside-${randomBytes(4).toString('hex')}` : null;
  return E.map((mayLackSigned: boolean) => ({ ...content.right, bankFiles, setAside: aside, mayLackSigned }))(
    exchanged(places, aside, content.right.events),
  );
};

/**
 * Puts a backup in the place of the configured ledger's events, and its bank files beside those that are there (docs/operating.md, Restore). No ledger serves meanwhile:
 * its locks are taken. Nothing that was there is thrown away but read models, which are built anew.
 */
export const restoreLedger = async (
  env: Environment,
  terminal: Pick<Terminal, 'input'>,
  request: RestoreRequest,
): Promise<E.Either<CommandFailure, Restored>> => {
  const loaded = commandConfig(env);
  if (E.isLeft(loaded)) return loaded;
  const config = loaded.right;
  const { eventStore, dataDir } = config;
  if (eventStore.kind !== 'sqlite') {
    return failing(1, 'the events are in EventStoreDB: restore its own backup there (docs/operating.md, Restore)');
  }
  const fault = request.from === null ? null : inputFault(request.from);
  if (fault !== null) return failing(1, fault);
  const lock = lockLedger({ file: eventStore.file, dataDir });
  if (E.isLeft(lock)) return failing(lock.left._tag === 'DataDirUnusable' ? 2 : 1, troubleLine(lock.left));
  const refused = usedByAnother(config);
  if (refused !== null) {
    lock.right.release();
    return E.left(refused);
  }
  // Behind a link, where its log and lock are: whoever comes by that path would go on with the old store.
  const file = placeOfFile(eventStore.file);
  const { file: draft, end } = beginDraft(file);
  try {
    const places = {
      file,
      config,
      draft,
      bankFiles: bankFilesIn(dataDir),
    };
    return await restored(terminal, places, request);
  } catch (error) {
    if (error instanceof NoDatabase) return failing(1, `the backup can't be used: ${error.message}`);
    return failing(1, `${file} can't be restored (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    end();
    lock.right.release();
  }
};

import { renameSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import { writingTrouble } from './file-trouble.ts';

type Pieces = AsyncIterable<E.Either<CommandFailure, Uint8Array>>;

const unwritable = (file: string, error: unknown): CommandFailure => ({
  status: 1,
  line: `${file} can't be written (${writingTrouble(error)})`,
});

const syncedFolder = async (file: string): Promise<void> => {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

const filled = async (handle: FileHandle, pieces: Pieces): Promise<E.Either<CommandFailure, void>> => {
  try {
    for await (const piece of pieces) {
      if (E.isLeft(piece)) return piece;
      await handle.writeFile(piece.right);
    }
    await handle.sync();
    return E.right(undefined);
  } finally {
    await handle.close();
  }
};

/** A file to be written. */
type Part = { readonly file: string; readonly pieces: () => Pieces };

type Unfinished = Part & { readonly unfinished: string };

/**
 * Puts files that belong together in the place of those that were there. Wherever it is cut off, there is either a pair that
 * fits or the first file alone: what says something about it is taken away before, and comes last. In one turn, so that no
 * signal is heard in between.
 */
export const replaceTogether = ([first, ...others]: readonly Omit<Unfinished, 'pieces'>[]): void => {
  for (const { file } of others) rmSync(file, { force: true });
  for (const { file, unfinished } of first === undefined ? [] : [first, ...others]) renameSync(unfinished, file);
};

const writeUnfinished = async (parts: readonly Unfinished[]): Promise<E.Either<CommandFailure, void>> => {
  for (const { unfinished, pieces } of parts) {
    const content = await filled(await open(unfinished, 'wx', 0o600), pieces());
    if (E.isLeft(content)) return content;
  }
  return E.right(undefined);
};

/**
 * Writes files that belong together, the first of which the others say something about: their names begin with its name. They appear under their names only
 * when all are whole and on the disk; until then, files of these names stay as they were. What could not be finished is
 * removed, also when a signal ends the command. Pieces of a file are asked for when those before it are written.
 */
export const writeWhole = async (
  { beginDraft, outFault }: Pick<CommandContext, 'beginDraft' | 'outFault'>,
  parts: readonly [Part, ...Part[]],
): Promise<E.Either<CommandFailure, void>> => {
  for (const { file } of parts) {
    const fault = await outFault(file);
    if (fault !== null) return failing(1, fault);
  }
  const [{ file: out }] = parts;
  const draft = await beginDraft(out);
  try {
    const drafts = parts.map((part) => ({ ...part, unfinished: `${draft.file}${part.file.slice(out.length)}` }));
    const content = await writeUnfinished(drafts);
    if (E.isLeft(content)) return content;
    replaceTogether(drafts);
    await syncedFolder(out);
    return content;
  } catch (error) {
    return E.left(unwritable(out, error));
  } finally {
    draft.end();
  }
};

import { rmSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';

type Pieces = AsyncIterable<E.Either<CommandFailure, Uint8Array>>;

const unwritable = (file: string, error: unknown): CommandFailure => ({
  status: 1,
  line: `${file} can't be written (${error instanceof Error ? error.message : String(error)})`,
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

/**
 * Writes a file that appears under its name only when it is whole and on the disk; until then, a file of that name stays as
 * it was. What could not be finished is removed, also when a signal ends the command.
 *
 * @param unfinished its name until then, in the same folder
 */
export const writeWhole = async (
  { undoneWhenEnded }: Pick<CommandContext, 'undoneWhenEnded'>,
  file: string,
  unfinished: string,
  pieces: Pieces,
): Promise<E.Either<CommandFailure, void>> => {
  const kept = undoneWhenEnded(() => rmSync(unfinished, { force: true }));
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      const content = await filled(handle, pieces);
      if (E.isLeft(content)) return content;
      await rename(unfinished, file);
      await syncedFolder(file);
      return content;
    } finally {
      // After the rename there is nothing of this name.
      await rm(unfinished, { force: true });
    }
  } catch (error) {
    return E.left(unwritable(file, error));
  } finally {
    kept();
  }
};

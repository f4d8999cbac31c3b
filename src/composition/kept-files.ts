import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { StatementFiles } from '../queries/statements/statement-files.ts';

const synced = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Keeps bank files in the folder `statements` of the data directory, each once under its digest, for its owner only. */
export const keptFiles =
  (dataDir: string): StatementFiles['keep'] =>
  (statementId, bytes) =>
  () => {
    const folder = join(dataDir, 'statements');
    const path = join(folder, statementId);
    const draft = `${path}.${process.pid}.draft`;
    try {
      if (existsSync(path)) return Promise.resolve(E.right(undefined));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, bytes, { mode: 0o600 });
      synced(draft);
      renameSync(draft, path);
      synced(folder);
      return Promise.resolve(E.right(undefined));
    } catch (error) {
      rmSync(draft, { force: true });
      const detail = error instanceof Error ? error.message : String(error);
      return Promise.resolve(E.left({ _tag: 'FileFailed', detail: `the file could not be kept: ${detail}` }));
    }
  };

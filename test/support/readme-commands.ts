import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Files } from '../../src/proofs/evidence/evidence-files.ts';
import { folderOnDisk } from './temporary-folder.ts';

const run = promisify(execFile);

/** What says that something is wrong: openssl and sha256sum in their words, the commands in capitals. */
const COMPLAINT = /\b[A-Z]{3,}\b|Failure|FAILED|No such file|rror/;

/** What the commands of evidence's explanation say in a shell. */
type Said = {
  readonly lines: readonly string[];
  /** Lines by which a reader sees that something is wrong. */
  readonly complaints: readonly string[];
};

/**
 * Runs the commands that stand in the explanation of evidence, as they stand, where its files are unpacked.
 *
 * @param readme the explanation; it may come from other evidence than the files
 */
export const readmeCommands = async (files: Files, readme: string): Promise<Said> => {
  const folder = folderOnDisk();
  try {
    for (const [name, content] of files) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), content);
    }
    const commands = readme
      .split('\n----\n')
      .filter((_, i) => i % 2 === 1)
      .join('\n');
    const shown = await run('sh', ['-c', `exec 2>&1\n${commands}\nrm -r "$work"`], { cwd: folder.path });
    const lines = shown.stdout.trimEnd().split('\n');
    return { lines, complaints: lines.filter((line) => COMPLAINT.test(line)) };
  } finally {
    folder.remove();
  }
};

import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Draft } from '../../cli/draft.ts';
import { takeLock } from '../../event-store/sqlite/exclusive-lock.ts';
import { undoneWhenEnded } from './undone-when-ended.ts';

/** Behind the name of the file that a draft is of: its own name, and what else belongs to it. */
const BEHIND_NAME = /^(\.[0-9a-f-]{16,36}\.part)(?:[.-].*)?$/;

/**
 * A draft, what SQLite and commands put beside it, and its lock. The lock comes last: what is left of a removal that is cut
 * off is known to be left, too.
 */
const BESIDE = ['', '-wal', '-shm', '-journal', '.manifest.json', '.lock-journal', '.lock'] as const;

/** A draft without a lock, of a file system that has none, is left behind once nobody has written to it for so long. */
const UNTOUCHED_MS = 86_400_000;

const lockOf = (draft: string): string => `${draft}.lock`;

/** The names of all drafts of a file, and of what belongs to them, by the draft. */
const draftsOf = (out: string): ReadonlyMap<string, readonly string[]> => {
  const [folder, name] = [dirname(out), basename(out)];
  const drafts = new Map<string, string[]>();
  for (const there of readdirSync(folder)) {
    const own = there.startsWith(name) ? BEHIND_NAME.exec(there.slice(name.length))?.[1] : undefined;
    if (own === undefined) continue;
    const draft = join(folder, `${name}${own}`);
    drafts.set(draft, [...(drafts.get(draft) ?? []), join(folder, there)]);
  }
  return drafts;
};

const isUntouched = (file: string): boolean => {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return touched !== undefined && Date.now() - touched > UNTOUCHED_MS;
};

const remove = (files: readonly string[]): void => {
  for (const file of files) rmSync(file, { force: true });
};

/** Removes a draft that no process has any more: the lock that it was made under ended with the process. */
const removeLeft = (draft: string, files: readonly string[]): void => {
  if (!files.includes(lockOf(draft))) {
    if (files.every(isUntouched)) remove(files);
    return;
  }
  const lock = takeLock(lockOf(draft), draft, 0);
  if (E.isLeft(lock)) return;
  try {
    remove(files.filter((file) => file !== lockOf(draft)));
    remove([lockOf(draft)]);
  } finally {
    lock.right.release();
  }
};

/** A folder that can't be looked into, or a draft that can't be removed, is no reason not to write. */
const withoutFail = (act: () => void): void => {
  E.tryCatch(act, () => undefined);
};

/**
 * Begins a draft of a file, and removes those of it that killed processes have left: each may be as large as the ledger, and
 * hold the personal data of all customers. A signal that ends the process removes it too.
 */
export const beginDraft = (out: string): Draft => {
  withoutFail(() => {
    for (const [draft, files] of draftsOf(out)) withoutFail(() => removeLeft(draft, files));
  });
  const file = `${out}.${randomBytes(8).toString('hex')}.part`;
  const own = BESIDE.map((suffix) => `${file}${suffix}`);
  const removeAll = (): void => withoutFail(() => remove(own));
  const kept = undoneWhenEnded(removeAll, own);
  // Where its file system has no locks it is made without one.
  const lock = takeLock(lockOf(file), file);
  return {
    file,
    end: () => {
      removeAll();
      if (E.isRight(lock)) lock.right.release();
      kept();
    },
  };
};

import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Draft } from '../../cli/draft.ts';
import { takeLock } from '../../event-store/sqlite/exclusive-lock.ts';
import { draftsOf, hasLock, lockOfDraft, removeUnlocked, type DraftThere } from '../left-drafts.ts';
import { undoneWhenEnded } from './undone-when-ended.ts';

/**
 * A draft, what SQLite and commands put beside it, and its lock. The lock comes last: what is left of a removal that is cut
 * off is known to be left, too.
 */
const BESIDE = ['', '-wal', '-shm', '-journal', '.manifest.json', '.lock-journal', '.lock'] as const;

/** A draft without a lock, of a file system that has none, is left behind once nobody has written to it for so long. */
const UNTOUCHED_MS = 86_400_000;

const isUntouched = (file: string): boolean => {
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return touched !== undefined && Date.now() - touched > UNTOUCHED_MS;
};

const remove = (files: readonly string[]): void => {
  for (const file of files) rmSync(file, { force: true });
};

const removeLeft = (one: DraftThere): void => {
  if (hasLock(one)) removeUnlocked(one);
  else if (one.files.every(isUntouched)) remove(one.files);
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
    for (const one of draftsOf(out)) withoutFail(() => removeLeft(one));
  });
  const file = `${out}.${randomBytes(8).toString('hex')}.part`;
  const own = BESIDE.map((suffix) => `${file}${suffix}`);
  const removeAll = (): void => withoutFail(() => remove(own));
  const kept = undoneWhenEnded(removeAll, own);
  // Where its file system has no locks it is made without one.
  const lock = takeLock(lockOfDraft(file), file);
  return {
    file,
    end: () => {
      removeAll();
      if (E.isRight(lock)) lock.right.release();
      kept();
    },
  };
};

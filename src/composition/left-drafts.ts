import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { isLocked, takeLock } from '../event-store/sqlite/exclusive-lock.ts';

/** A draft and all that belongs to it, as paths. */
export type DraftThere = { readonly draft: string; readonly files: readonly string[] };

/** Behind the name of the file that a draft is of: its own name, and what else belongs to it. */
const NAME = /^(.*?)(\.[0-9a-f-]{16,36}\.part)(?:[.-].*)?$/;

/** The lock under which a draft is made, beside it. */
export const lockOfDraft = (draft: string): string => `${draft}.lock`;

/** The drafts in a folder of all files, or of one. Throws what the system says. */
const draftsIn = (folder: string, of: string | null = null): readonly DraftThere[] => {
  const drafts = new Map<string, string[]>();
  for (const there of readdirSync(folder)) {
    const [, name = '', own] = NAME.exec(there) ?? [];
    if (own === undefined || (of !== null && name !== of)) continue;
    const draft = join(folder, `${name}${own}`);
    drafts.set(draft, [...(drafts.get(draft) ?? []), join(folder, there)]);
  }
  return [...drafts].map(([draft, files]) => ({ draft, files }));
};

/** The drafts of a file. Throws what the system says. */
export const draftsOf = (out: string): readonly DraftThere[] => draftsIn(dirname(out), basename(out));

/** Whether a draft has a lock: by that it is known for one of the ledger's, and whether somebody still writes it. */
export const hasLock = ({ draft, files }: DraftThere): boolean => files.includes(lockOfDraft(draft));

/** Removes a draft with a lock if no process has it any more: the lock ended with the process. Throws what the system says. */
export const removeUnlocked = ({ draft, files }: DraftThere): void => {
  const lockFile = lockOfDraft(draft);
  const lock = takeLock(lockFile, draft, 0);
  if (E.isLeft(lock)) return;
  try {
    for (const file of files) if (file !== lockFile) rmSync(file, { force: true });
    rmSync(lockFile, { force: true });
  } finally {
    lock.right.release();
  }
};

/** A folder that can't be looked into, or a draft that can't be removed, is no reason not to go on. */
const withoutFail = <A>(act: () => A, otherwise: A): A =>
  E.getOrElse(() => otherwise)(E.tryCatch(act, () => undefined));

/**
 * Removes from a ledger's data directory what killed commands have left of files that they wrote there: each may be as large as the ledger,
 * and hold the personal data of all customers. What has no lock beside it may be another program's, and stays.
 */
export const removeLeftDraftsIn = (dataDir: string): void => {
  for (const one of withoutFail(() => draftsIn(dataDir), []).filter(hasLock))
    withoutFail(() => removeUnlocked(one), undefined);
};

/** The drafts that killed commands have left in a data directory. Nothing is made or changed. */
export const leftDraftsIn = (dataDir: string): readonly string[] =>
  draftsIn(dataDir).flatMap((one) => {
    const locked = hasLock(one) ? isLocked(lockOfDraft(one.draft)) : null;
    return locked === null || (E.isRight(locked) && locked.right) ? [] : [one.draft];
  });

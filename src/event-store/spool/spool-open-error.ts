import type { Trouble } from '../../domain/trouble.ts';
import { areDescriptorsUsedUp, MORE_DESCRIPTORS } from '../../files/used-up-descriptors.ts';
import { isDamage } from '../sqlite-code.ts';

/** Why a spool could not be opened, and what to do about it. `SpoolShared`: its file has another name, by which others may open it. */
export type SpoolOpenError = Trouble & {
  readonly _tag: 'SpoolDamaged' | 'SpoolOfNewerSchema' | 'SpoolNotALedger' | 'SpoolShared' | 'SpoolUnusable';
  readonly cure: string;
};

export const spoolOpenError = (_tag: SpoolOpenError['_tag'], detail: string, cure: string): SpoolOpenError => ({
  _tag,
  detail,
  cure,
});

/** @param found what is wrong with the file */
export const spoolDamaged = (file: string, found: string): SpoolOpenError =>
  spoolOpenError(
    'SpoolDamaged',
    `${file} is damaged (${found.replaceAll(/\s+/g, ' ')})`,
    `what was answered 202 may be in it: keep a copy, and recover it with "sqlite3 ${file} .recover"`,
  );

/** @param log the write-ahead log that is left of a spool */
export const spoolWithoutFile = (file: string, log: string): SpoolOpenError =>
  spoolOpenError(
    'SpoolUnusable',
    `${file} is not there or empty, and ${log} holds deliveries that were put into it`,
    'put back the file that it belongs to; what was answered 202 is in both',
  );

/** @param target where the spool is a link to, and nothing is */
export const spoolElsewhere = (file: string, target: string): SpoolOpenError =>
  spoolOpenError(
    'SpoolUnusable',
    `${file} is a link to ${target}, which is not there; what was answered 202 may wait in it`,
    `mount the disk that holds it, or bring it back; where there never was a spool, make an empty one: touch ${target}`,
  );

/** @param detail how a spool that holds what was promised is not under its name any more */
export const spoolMoved = (detail: string): SpoolOpenError =>
  spoolOpenError('SpoolUnusable', detail, 'put back the file that was there, with its -wal');

/** What an error while opening, or while reading what was opened, means to an operator. */
export const spoolOpenFailure = (error: unknown, file: string): SpoolOpenError => {
  const message = error instanceof Error ? error.message : String(error);
  if (isDamage(error)) return spoolDamaged(file, message);
  if (areDescriptorsUsedUp())
    return spoolOpenError('SpoolUnusable', `${file} can't be opened: too many files are open`, MORE_DESCRIPTORS);
  return spoolOpenError(
    'SpoolUnusable',
    `${file} can't be opened (${message.replaceAll(/\s+/g, ' ')})`,
    'see that the file and its folder can be written',
  );
};

import * as E from 'fp-ts/lib/Either.js';
import type { Logger } from 'pino';
import { removeLeftCopies } from '../../threads/local-log.ts';
import { removeLeftDrafts } from '../kept-files.ts';
import { removeLeftDraftsIn } from '../left-drafts.ts';
import { giveLedgerId } from '../ledger-id.ts';

/**
 * Takes out of a data directory what an earlier ledger left that was killed, and gives the directory its id. What can't be done is
 * logged: a ledger serves without it.
 */
export const tidyDataDirectory = async (dataDir: string, log: Pick<Logger, 'info' | 'warn'>): Promise<void> => {
  removeLeftCopies(dataDir);
  removeLeftDraftsIn(dataDir);
  const drafts = await removeLeftDrafts(dataDir);
  if (E.isLeft(drafts)) log.warn({ problem: drafts.left }, 'left drafts of bank files can not be removed');
  else if (drafts.right > 0) log.info({ drafts: drafts.right }, 'left drafts of bank files are removed');
  const id = giveLedgerId(dataDir);
  if (E.isLeft(id)) {
    log.warn({ problem: id.left.problem }, 'the data directory has no id: a copy of it does not know its read models');
  }
};

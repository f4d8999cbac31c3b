import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { configErrorLine, loadConfig, type Config, type Environment } from '../../config/index.ts';
import { workForOwner } from '../../files/for-owner.ts';
import { removeLeftDraftsIn } from '../left-drafts.ts';
import { isLedgerFolder } from './ledger-folder.ts';

/**
 * The configuration of a command that may make files of the ledger's: root makes them for the owner of the data directory, and
 * who can't is refused before anything is made. What killed commands have left there is removed.
 */
export const commandConfig = (env: Environment): E.Either<CommandFailure, Config> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return failing(2, configErrorLine(loaded.left));
  const { config } = loaded.right;
  try {
    const refused = workForOwner(config.dataDir);
    if (refused === null && isLedgerFolder(config.dataDir)) removeLeftDraftsIn(config.dataDir);
    return refused === null ? E.right(config) : failing(1, `DATA_DIR: ${refused}`);
  } catch {
    // A folder that can't be looked at: whoever uses it says why.
    return E.right(config);
  }
};

import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { configErrorLine, loadConfig, unreadablePlace, type Config, type Environment } from '../../config/index.ts';
import { foreignFolder } from '../../files/foreign-folder.ts';
import { removeLeftDraftsIn } from '../left-drafts.ts';
import { isLedgerFolder } from './ledger-folder.ts';

/**
 * The configuration of a command that may make files of the ledger's: whoever the data directory does not belong to is refused
 * before anything is made, root too. What killed commands have left there is removed.
 */
export const commandConfig = (env: Environment): E.Either<CommandFailure, Config> => {
  const loaded = loadConfig(env, { generate: false, randomBytes });
  if (E.isLeft(loaded)) return failing(2, configErrorLine(loaded.left));
  const { config } = loaded.right;
  const unreadable = unreadablePlace(config);
  if (unreadable !== null) return failing(2, configErrorLine(unreadable));
  try {
    const refused = foreignFolder(config.dataDir);
    if (refused === null && isLedgerFolder(config.dataDir)) removeLeftDraftsIn(config.dataDir);
    return refused === null ? E.right(config) : failing(1, `DATA_DIR: ${refused}`);
  } catch {
    // A folder that can't be looked at: whoever uses it says why.
    return E.right(config);
  }
};

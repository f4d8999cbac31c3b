import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { errorCode } from '../../config/error-code.ts';
import type { Environment } from '../../config/index.ts';

const USUAL_DIRECTORY = './demo-data';
/** Says that a data directory is a demonstration's; there is nothing to read in it. */
const MARK = 'demonstration';
const EVENTS = 'events.db';

/**
 * What a demonstration takes of the environment: PORT, DATA_DIR, the time zone and the log level. Everything else, stores
 * and secrets above all, may be that of a real ledger.
 */
export const demoEnvironment = (env: Environment): Environment => {
  const zone = env['BUSINESS_TIME_ZONE'];
  return {
    HOST: '127.0.0.1',
    PORT: env['PORT'] ?? '0',
    DATA_DIR: env['DATA_DIR'] ?? USUAL_DIRECTORY,
    LOG_LEVEL: env['LOG_LEVEL'] ?? 'warn',
    ...(zone === undefined ? {} : { BUSINESS_TIME_ZONE: zone }),
  };
};

const refused = (line: string): E.Either<CommandFailure, never> => E.left({ status: 2, line: `DATA_DIR: ${line}` });

/**
 * Takes a data directory for demonstrations, and refuses one with events that none of them brought in: nothing can be taken
 * out of a ledger again.
 *
 * @param folder absolute; made where it is missing
 * @returns whether a demonstration has played orders into it before
 */
export const claimDemoDirectory = (folder: string): E.Either<CommandFailure, 'new' | 'again'> => {
  const mark = join(folder, MARK);
  const hasEvents = existsSync(join(folder, EVENTS));
  if (hasEvents && !existsSync(mark)) {
    return refused(`${folder} is that of a ledger, into which no demonstration plays orders; name another one`);
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(mark, '', { mode: 0o600 });
    return E.right(hasEvents ? 'again' : 'new');
  } catch (error) {
    return refused(`${folder} can't be written (${errorCode(error)}); name a folder that can be written to`);
  }
};

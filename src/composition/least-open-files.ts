import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../cli/command-failure.ts';
import { mostOpenFiles } from './most-open-files.ts';

/**
 * With fewer a ledger would listen and answer nothing, or end without saying which limit it met. One that was asked its first
 * questions has some 90 open, builds and exports take more for a while, and a quarter of all is for connections.
 */
const LEAST = 128;

/**
 * Whether this process may open as many files as a ledger needs that serves; a Left says what to raise.
 *
 * @param openFiles see `mostOpenFiles`
 */
export const leastOpenFiles = (openFiles: number | null = mostOpenFiles()): E.Either<CommandFailure, void> =>
  openFiles === null || openFiles >= LEAST
    ? E.right(undefined)
    : failing(
        1,
        `the machine lets this process have only ${openFiles} files open, and a ledger that serves needs ${LEAST} at the least: raise ulimit -n of its user, or the limit of its container or service (ulimits: nofile, LimitNOFILE), to 8192`,
      );

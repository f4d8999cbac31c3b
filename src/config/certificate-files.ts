import { accessSync, constants, statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from './environment.ts';
import { secretSource } from './secret-source.ts';

/** The options of `EVENT_STORE_URL` that name a file: the client reads it when it connects, and takes whatever stands there. */
const CERTIFICATE_OPTIONS = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const;

/** All authorities that a machine knows are some hundreds of kilobytes. */
const MOST_BYTES = 4_194_304;

/** Why a file of certificates or a key can't be used, without its path; null: it can. Nothing is opened: a pipe would have no end. */
export const certificateFault = (path: string): string | null => {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'give a file that is there';
    if (!stats.isFile()) return 'give a regular file: a pipe, a device or a folder is none';
    if (stats.size > MOST_BYTES) return `give a file of at most ${MOST_BYTES} bytes`;
    accessSync(path, constants.R_OK);
    return null;
  } catch {
    return 'give a file that the user of the ledger can read';
  }
};

/** The options of a connection string, their names in lower case, as the client reads them. */
export const optionsIn = (options: string): readonly (readonly [string, string])[] =>
  options.split('&').map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair.toLowerCase(), ''] : [pair.slice(0, at).toLowerCase(), pair.slice(at + 1)];
  });

/** The files that the event store's URL names, each with its option; none where the URL can't be read, of which who needs it says why. */
export const certificateFiles = (env: Environment): readonly { readonly option: string; readonly path: string }[] => {
  const source = secretSource(env, 'EVENT_STORE_URL');
  const url = E.isRight(source) ? (source.right?.text ?? '') : '';
  if (!/^esdb(?:\+discover)?:/i.test(url)) return [];
  const given = new Map(optionsIn(url.slice(url.lastIndexOf('?') + 1)));
  return CERTIFICATE_OPTIONS.flatMap((option) => {
    const path = given.get(option.toLowerCase()) ?? '';
    return path === '' ? [] : [{ option, path }];
  });
};

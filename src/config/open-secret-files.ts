import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from './environment.ts';
import { FILE_SECRETS, fileVariable } from './file-secrets.ts';
import { isOutside, openAbove, openAmong, WRITABLE_FOR_OTHERS, type OpenToOthers } from './open-to-others.ts';

type Named = { readonly variable: string; readonly path: string };

const modeOf = (path: string): number | null => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode ?? null;
  } catch {
    // What can't be looked at can't be read either: whoever reads it says so.
    return null;
  }
};

/** The files that variables name in place of their values, as far as they are there. */
const namedFiles = (env: Environment): readonly (Named & { readonly mode: number })[] =>
  FILE_SECRETS.flatMap((secret) => {
    const variable = fileVariable(secret);
    const given = env[variable] ?? '';
    if (given === '') return [];
    const path = resolve(given);
    const mode = modeOf(path);
    return mode === null ? [] : [{ variable, path, mode }];
  });

/**
 * What others than the ledger's user may change among the files in its data directory that variables name: judged as all that the ledger
 * reads there.
 *
 * @param uid of the ledger's user; null on systems that have none
 */
export const openSecretsInside = (
  env: Environment,
  dataDir: string,
  uid: number | null,
): readonly (OpenToOthers & Pick<Named, 'variable'>)[] =>
  namedFiles(env)
    .filter(({ path }) => !isOutside(dataDir, path))
    .flatMap(({ variable, path }) => openAmong([path], uid).map((open) => ({ ...open, variable })));

/** What can't be looked at can't be read either: whoever reads it says so. */
const mayBeExchanged = (path: string): boolean =>
  E.getOrElse(() => false)(E.tryCatch(() => openAbove(path) !== null, String));

/**
 * Lines about secrets' files elsewhere that others may write to, or exchange: who can may sign deliveries, or give himself a key. They are read all the
 * same, since whose a file is and who is on the machine is not known of what is mounted (a container's secret is root's, and some systems
 * show every mounted file as anybody's). No line tells a path: a secret may have been put in its place.
 */
export const openSecretWarnings = (env: Environment, dataDir: string): readonly string[] =>
  process.getuid === undefined
    ? []
    : namedFiles(env)
        .filter(({ path }) => isOutside(dataDir, path))
        .flatMap(({ variable, path, mode }) => [
          ...((mode & WRITABLE_FOR_OTHERS) === 0
            ? []
            : [
                `${variable}: its file can be written to by others on this machine, who could put a value of their own in it; chmod go-w it`,
              ]),
          ...(mayBeExchanged(path)
            ? [
                `${variable}: everybody on this machine may put another file in the place of its file, since a folder on the way to it can be written to by all; chmod o-w that folder`,
              ]
            : []),
        ]);

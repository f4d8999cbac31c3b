import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { certificateFiles } from './certificate-files.ts';
import type { Environment } from './environment.ts';
import { FILE_SECRETS, fileVariable } from './file-secrets.ts';
import { onlooker, openAbove, type OpenAbove, type Onlooker } from './open-above.ts';
import { isOutside, openAmong, WRITABLE_FOR_OTHERS, type OpenToOthers } from './open-to-others.ts';

/** A file; `what` a line calls it. */
type Named = { readonly variable: string; readonly path: string; readonly what: string };

const modeOf = (path: string): number | null => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mode ?? null;
  } catch {
    // What can't be looked at can't be read either: whoever reads it says so.
    return null;
  }
};

/** The files that variables name in place of their values, and those that the event store's URL names, as they are given. */
export const filesNamed = (env: Environment): readonly Named[] => [
  ...FILE_SECRETS.flatMap((secret) => {
    const variable = fileVariable(secret);
    const given = env[variable] ?? '';
    return given === '' ? [] : [{ variable, path: resolve(given), what: 'its file' }];
  }),
  ...certificateFiles(env).map(({ option, path }) => ({
    variable: 'EVENT_STORE_URL',
    path: resolve(path),
    what: `the file of its ${option}`,
  })),
];

/** Those that are there. */
const namedFiles = (env: Environment): readonly (Named & { readonly mode: number })[] =>
  filesNamed(env).flatMap((named) => {
    const mode = modeOf(named.path);
    return mode === null ? [] : [{ ...named, mode }];
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

/** Who may put another file in the place of one, and what ends that; without a path. */
const exchangedBy = ({ by }: OpenAbove, what: string): string => {
  if (by._tag === 'All')
    return `everybody on this machine may put another file in the place of ${what}, since a folder on the way to it can be written to by all; chmod o-w that folder`;
  return by._tag === 'Group'
    ? `others in a group (gid ${by.gid}) may put another file in the place of ${what}, since a folder on the way to it can be written to by them; chmod g-w that folder`
    : `another user (uid ${by.uid}) may put another file in the place of ${what}, since a folder on the way to it is theirs, or what stands there in one that all share; name a file in folders of root's or of the ledger's user`;
};

/**
 * Lines about secrets' files and certificates elsewhere that others may write to, or exchange: who can may sign deliveries, give himself
 * a key, or stand in for the event store. They are read all the same, since whose a file is and who is on the machine is not known of
 * what is mounted (a container's secret is root's, and some systems show every mounted file as anybody's). No line tells a path: a
 * secret may have been put in its place.
 */
export const openSecretWarnings = (env: Environment, dataDir: string, by: Onlooker = onlooker()): readonly string[] =>
  by.uid === null
    ? []
    : namedFiles(env)
        .filter(({ path }) => isOutside(dataDir, path))
        .flatMap(({ variable, path, what, mode }) => {
          const above = openAbove(path, what, by);
          return [
            ...((mode & WRITABLE_FOR_OTHERS) === 0
              ? []
              : [
                  `${variable}: ${what} can be written to by others on this machine, who could put a value of their own in it; chmod go-w it`,
                ]),
            ...(above === null ? [] : [`${variable}: ${exchangedBy(above, what)}`]),
          ];
        });

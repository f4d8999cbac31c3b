import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { makeFolder } from '../files/make-folder.ts';
import { brokenLink } from './broken-link.ts';
import { configError, type ConfigError } from './config-error.ts';
import { errorCode } from './error-code.ts';
import { readSecretFile } from './read-secret-file.ts';
import { FEWEST_SECRET_BYTES } from './secret-entries.ts';

/** What a random source gives; 32 bytes are 43 characters of base64url. */
export type RandomBytes = (count: number) => Buffer;

/** What a generated file holds. */
export type GeneratedKind = {
  readonly make: (random: RandomBytes) => string;
  readonly is: (text: string) => boolean;
  /** What a file is not that was damaged: `one line of visible characters`. */
  readonly form: string;
};

const RANDOM_BYTES = 32;
const VALUE = new RegExp(String.raw`^[\x21-\x7e]{${FEWEST_SECRET_BYTES},}$`);

/** A secret that is sent or compared as it stands. */
const SECRET: GeneratedKind = {
  make: (random) => random(RANDOM_BYTES).toString('base64url'),
  is: (text) => VALUE.test(text),
  form: `one line of ${FEWEST_SECRET_BYTES} visible characters or more`,
};

const damaged = (variable: string, path: string, detail: string): ConfigError =>
  configError(variable, `the generated ${path} ${detail}`, `set ${variable}, or bring the file back from a backup`);

/** The value that was generated for a variable and is kept in a file; null where there is no such file. */
export const readGenerated = (
  variable: string,
  path: string,
  { is, form }: GeneratedKind = SECRET,
): E.Either<ConfigError, string | null> => {
  const file = readSecretFile(path);
  if (E.isLeft(file)) {
    return file.left._tag === 'Absent' ? E.right(null) : E.left(damaged(variable, path, file.left.detail));
  }
  return is(file.right.text) ? E.right(file.right.text) : E.left(damaged(variable, path, `is not ${form}`));
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** Writes a file under a temporary name first, so that nobody finds half of it under the final name. */
const writeWhole = (draft: string, line: string): void => {
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, line);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Why nothing is there under a name that a file was just given: the name is that of a link to nothing, or somebody was faster. */
const notKept = (variable: string, path: string): ConfigError => {
  const broken = brokenLink(path);
  return broken === null
    ? damaged(variable, path, 'was gone as soon as it was written')
    : configError(
        variable,
        `${path} is a link to ${broken.target}, which is not there`,
        `mount or bring back what it leads to, or set ${variable}`,
      );
};

/** Gives the draft its final name by a link: a rename would replace a file that is there already. */
const linkOnce = (draft: string, path: string): void => {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
};

/**
 * Generates a value and keeps it in a file of mode 0600, in a folder made where it is missing (0700): durable when this
 * returns, whole or not there after a crash. Where another process was first, its value is the answer.
 */
export const generateOnce = (
  variable: string,
  path: string,
  random: RandomBytes,
  kind: GeneratedKind = SECRET,
): E.Either<ConfigError, string> => {
  const folder = dirname(path);
  const draft = `${path}.${random(8).toString('hex')}.draft`;
  try {
    makeFolder(folder);
    try {
      writeWhole(draft, `${kind.make(random)}\n`);
      linkOnce(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
    syncFolder(folder);
  } catch (error) {
    return E.left(
      configError(
        'DATA_DIR',
        `${path} can't be written (${errorCode(error)})`,
        `name a folder that can be written to, or set ${variable}`,
      ),
    );
  }
  return E.chain((value: string | null): E.Either<ConfigError, string> =>
    value === null ? E.left(notKept(variable, path)) : E.right(value),
  )(readGenerated(variable, path, kind));
};

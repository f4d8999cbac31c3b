import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { fileVariable, type FileSecret } from './file-secrets.ts';
import { optionalText } from './plain-variable.ts';
import { readSecretFile } from './read-secret-file.ts';

/** A secret variable's text, and the variable that errors in it are to name: itself or its `…_FILE`. */
export type SecretSource = {
  readonly variable: string;
  readonly text: string;
  /** What whoever started the ledger should hear of, in one line each. */
  readonly warnings: readonly string[];
};

/**
 * A secret variable's text out of the variable or its file; null where neither is set. No error tells the file's path:
 * a secret that was put into the `…_FILE` by mistake would be taken for one.
 */
export const secretSource = (env: Environment, variable: FileSecret): E.Either<ConfigError, SecretSource | null> => {
  const byFile = fileVariable(variable);
  const given = optionalText(env, variable);
  if (E.isLeft(given)) return given;
  const path = optionalText(env, byFile);
  if (E.isLeft(path)) return path;
  if (path.right === null) {
    return E.right(given.right === null ? null : { variable, text: given.right, warnings: [] });
  }
  if (given.right !== null) {
    return E.left(configError(variable, `it is set together with ${byFile}`, 'keep one of the two'));
  }
  const file = readSecretFile(path.right);
  if (E.isRight(file)) {
    const { text, stripped } = file.right;
    const warnings = stripped ? [`${byFile}: the newline at the end of the file is no part of the value`] : [];
    return E.right({ variable: byFile, text, warnings });
  }
  return E.left(
    file.left._tag === 'Absent'
      ? configError(byFile, 'there is no file at its path', 'name a file with the value in it')
      : configError(byFile, `its file ${file.left.detail}`, file.left.cure),
  );
};

import * as E from 'fp-ts/lib/Either.js';
import { parseVerifierLine } from '../proofs/signed-note.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { optionalText } from './plain-variable.ts';

const VARIABLE = 'LEDGER_WITNESSES';

/** A witness that is asked to cosign checkpoints: its name, the line of its key, and where it is. */
export type WitnessSetting = { readonly name: string; readonly line: string; readonly url: string };

const wrong = (number: number, problem: string, cure: string): E.Either<ConfigError, never> =>
  E.left(configError(VARIABLE, `entry ${number} ${problem}`, cure));

const isHttp = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol) && new URL(text).search === '';

const entry = (text: string, number: number): E.Either<ConfigError, WitnessSetting> => {
  const [, line = '', url = ''] = /^(\S+)[ \t]+(\S+)$/.exec(text) ?? [];
  const verifier = parseVerifierLine(line, 'cosignature');
  if (line === '') return wrong(number, 'is no key and address', 'write vkey url, vkey2 url2');
  if (verifier === null) {
    return wrong(number, 'has no key of a witness', 'give its verifier key for cosignature/v1: name+hash+base64');
  }
  return isHttp(url)
    ? E.right({ name: verifier.name, line, url })
    : wrong(number, 'has no address', 'give the one that add-checkpoint is below, such as https://witness.example/');
};

/** Reads `vkey url, vkey2 url2` (docs/spec/configuration.md, Log identity). */
export const ledgerWitnesses = (env: Environment): E.Either<ConfigError, readonly WitnessSetting[]> =>
  E.chain((text: string | null): E.Either<ConfigError, readonly WitnessSetting[]> => {
    if (text === null) return E.right([]);
    const read = E.traverseArray(([i, written]: readonly [number, string]) => entry(written.trim(), i + 1))([
      ...text.split(',').entries(),
    ]);
    if (E.isLeft(read)) return read;
    const names = read.right.map(({ name }) => name);
    const twice = names.findIndex((name, i) => names.indexOf(name) !== i);
    return twice === -1 ? read : wrong(twice + 1, 'has a name that is used twice', 'give each witness once');
  })(optionalText(env, VARIABLE));

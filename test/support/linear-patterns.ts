import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import packageJson from '../../package.json' with { type: 'json' };
import { repositoryPath } from './repository-file.ts';

/** Another version of the check judges all of them anew. */
const FILE = repositoryPath(`node_modules/.cache/linear-patterns/${packageJson.devDependencies.recheck}.json`);

const Patterns = t.readonlyArray(t.string);

/** The regular expressions that were found to take linear time in an earlier run: to judge all of them takes ten seconds. */
export const foundLinear = (): readonly string[] => {
  try {
    return E.getOrElse((): readonly string[] => [])(Patterns.decode(JSON.parse(readFileSync(FILE, 'utf8'))));
  } catch {
    // There was none, or it was cut off.
    return [];
  }
};

/** Keeps what was found; none of them need be judged again. */
export const keepLinear = (patterns: readonly string[]): void => {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(patterns));
};

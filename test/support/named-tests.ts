import { existsSync } from 'node:fs';
import { repositoryFile, repositoryPath } from './repository-file.ts';

/** What stands in the call of a suite or a test. */
const TITLE = /\b(?:it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const PLACEHOLDER = /\$\{(?:[^{}]|\{[^{}]*\})*\}/;

/** A test's titles, those with placeholders as patterns. */
const titlesIn = (source: string): readonly RegExp[] =>
  [...source.matchAll(TITLE)].map(([, single, double, template]) => {
    const text = (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1');
    return new RegExp(
      `^${text
        .split(PLACEHOLDER)
        .map((part) => RegExp.escape(part))
        .join('.+')}$`,
    );
  });

type NamedTests = { readonly file: string; readonly titles: readonly string[] };

/** The tests that a line of a document names: a file in backquotes, and behind it titles in quotation marks. */
export const testsNamedIn = (line: string): readonly NamedTests[] =>
  line
    .split(/(?=`test\/)/)
    .slice(1)
    .map((part) => ({
      file: /^`([^`]+)`/.exec(part)?.[1] ?? '',
      titles: [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
    }));

/** Those that are not there, `file: title`. */
export const missingTests = (named: readonly NamedTests[]): readonly string[] =>
  named.flatMap(({ file, titles }) => {
    const known = existsSync(repositoryPath(file)) ? titlesIn(repositoryFile(file)) : [];
    return titles.filter((title) => !known.some((pattern) => pattern.test(title))).map((title) => `${file}: ${title}`);
  });

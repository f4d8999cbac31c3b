import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

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

/** The tests that a line names: a file in backquotes, and behind it titles in quotation marks. */
const namedIn = (line: string): readonly { readonly file: string; readonly titles: readonly string[] }[] =>
  line
    .split(/(?=`test\/)/)
    .slice(1)
    .map((part) => ({
      file: /^`([^`]+)`/.exec(part)?.[1] ?? '',
      titles: [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
    }));

describe('docs/interface-coverage.md', () => {
  const lines = textOf('docs/interface-coverage.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));

  it('names a test for every line of the interface', () => {
    expect(lines).to.have.length.greaterThan(60);
    for (const line of lines) {
      const named = namedIn(line);
      expect(named, line).to.not.deep.equal([]);
      for (const { file, titles } of named) expect(titles, `${file}: ${line}`).to.not.deep.equal([]);
    }
  });

  it('names tests that are there, by their titles', () => {
    const missing = lines.flatMap(namedIn).flatMap(({ file, titles }) => {
      const known = existsSync(new URL(file, root)) ? titlesIn(textOf(file)) : [];
      return titles
        .filter((title) => !known.some((pattern) => pattern.test(title)))
        .map((title) => `${file}: ${title}`);
    });
    expect(missing).to.deep.equal([]);
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const FACTS = 'event-store/eventstoredb/';

const TITLE = /\b(?:it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const PLACEHOLDER = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** The titles of a file's suites and tests as the table writes them: an ellipsis for what varies. */
const titlesIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(TITLE)].map(([, single, double, template]) =>
    (single ?? double ?? template?.replaceAll(PLACEHOLDER, '…') ?? '').replaceAll(/\\(['"`])/g, '$1'),
  );

/** The file that a name in the table stands for; null for none. */
const fileOf = (name: string): string | null => {
  const path = `test/${name.includes('/') ? name : FACTS + name}`;
  return [`${path}.test.ts`, `${path}.ts`].find((file) => existsSync(new URL(file, root))) ?? null;
};

type Row = { readonly fact: string; readonly tests: readonly { readonly name: string; readonly title: string }[] };

const rows: readonly Row[] = textOf('docs/event-store-facts.md')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\|| *\|$/, '').trim()))
  .filter(([fact = '']) => fact !== 'fact' && !fact.startsWith('---'))
  .map(([fact = '', , tests = '']) => ({
    fact,
    tests: tests
      .split('<br>')
      .filter((test) => test !== '–')
      .map((test) => {
        const [, name = '', title = ''] = /^`([\w/-]+)` (.+)$/.exec(test) ?? [];
        return { name, title };
      }),
  }));

describe('docs/event-store-facts.md', () => {
  it('names a test for every fact, or says by a dash that there is nothing to test', () => {
    expect(rows).to.have.length.greaterThan(60);
    for (const { fact, tests } of rows) {
      for (const { name, title } of tests) expect([name, title], fact).to.not.include('');
    }
    expect(rows.filter(({ tests }) => tests.length === 0)).to.have.length.lessThan(8);
  });

  it('names tests that are there, by file and title', () => {
    const missing = rows.flatMap(({ tests }) =>
      tests.filter(({ name, title }) => {
        const file = fileOf(name);
        return file === null || !titlesIn(file).includes(title);
      }),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names every test of a fact', () => {
    const named = new Set(rows.flatMap(({ tests }) => tests.map(({ name, title }) => `${name} ${title}`)));
    const files = readdirSync(new URL(`test/${FACTS}`, root)).filter((file) => file.endsWith('-facts.test.ts'));
    expect(files).to.have.length.greaterThan(5);
    const unnamed = files.flatMap((file) => {
      // The first is the suite's.
      const [, ...titles] = titlesIn(`test/${FACTS}${file}`);
      return titles.map((title) => `${file.replace('.test.ts', '')} ${title}`).filter((title) => !named.has(title));
    });
    expect(unnamed).to.deep.equal([]);
  });
});

import { globSync } from 'node:fs';
import { expect } from 'chai';
import packageJson from '../../package.json' with { type: 'json' };
import { repositoryPath } from '../support/repository-file.ts';

const { scripts } = packageJson;

/** The test files that a script of package.json gives to mocha. */
const filesOf = (script: string): readonly string[] => {
  const words = script.split(' ').map((word) => word.replaceAll("'", ''));
  const ignored = words.filter((_, at) => words[at - 1] === '--ignore');
  const given = words.filter((word, at) => word.startsWith('test/') && words[at - 1] !== '--ignore');
  expect(given.length, script).to.be.greaterThan(0);
  return globSync(given, { cwd: repositoryPath('.'), exclude: ignored });
};

describe('the tests', () => {
  it('are each in one run, of those that are begun by npm test and npm run test:long', () => {
    const runs = ['test:code', 'test:running', 'test:beside', 'test:alone'] as const;
    const began = [scripts.test, scripts['test:long']].join(' ');
    for (const run of runs) expect(began).to.include(`npm run -s ${run}`);
    const run = runs.flatMap((name) => filesOf(scripts[name])).toSorted();
    expect(run).to.deep.equal(globSync('test/**/*.test.ts', { cwd: repositoryPath('.') }).toSorted());
  });
});

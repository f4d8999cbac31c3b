import { expect } from 'chai';
import { missingTests, testsNamedIn } from '../support/named-tests.ts';
import { repositoryFile } from '../support/repository-file.ts';

describe('docs/interface-coverage.md', () => {
  const lines = repositoryFile('docs/interface-coverage.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));

  it('names a test for every line of the interface', () => {
    expect(lines).to.have.length.greaterThan(60);
    for (const line of lines) {
      const named = testsNamedIn(line);
      expect(named, line).to.not.deep.equal([]);
      for (const { file, titles } of named) expect(titles, `${file}: ${line}`).to.not.deep.equal([]);
    }
  });

  it('names tests that are there, by their titles', () => {
    expect(missingTests(lines.flatMap(testsNamedIn))).to.deep.equal([]);
  });
});

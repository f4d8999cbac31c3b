import { expect } from 'chai';
import { missingTests, testsNamedIn } from '../support/named-tests.ts';
import { repositoryFile } from '../support/repository-file.ts';

describe('SECURITY.md', () => {
  const document = repositoryFile('SECURITY.md');
  const lines = document.split('\n').filter((line) => line.startsWith('- '));

  it('answers every threat, each answer shown by a test', () => {
    for (const threat of [
      'Forged deliveries',
      'Replays',
      'Leaked keys',
      'Hostile payloads shown to staff',
      'Floods',
      'Hostile servers',
      'A compromised operator',
    ]) {
      const section = document.split('\n## ').find((part) => part.startsWith(threat)) ?? '';
      expect(section.match(/^- /gm)?.length ?? 0, threat).to.be.greaterThan(1);
    }
    for (const line of lines) {
      const named = testsNamedIn(line);
      expect(named, line).to.not.deep.equal([]);
      for (const { file, titles } of named) expect(titles, file).to.not.deep.equal([]);
    }
  });

  it('names tests that are there, by their titles', () => {
    expect(missingTests(lines.flatMap(testsNamedIn))).to.deep.equal([]);
  });
});

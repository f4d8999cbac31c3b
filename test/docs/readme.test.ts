import { expect } from 'chai';
import { repositoryFile } from '../support/repository-file.ts';

describe('README.md', () => {
  const readme = repositoryFile('README.md');
  const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.startsWith('curl ')),
  );

  it('has each answer that it shows on a line of its own', () => {
    expect(commands.length).to.be.at.least(8);
    for (const command of commands.filter((one) => !one.includes(' -o ')))
      expect(command).to.include(String.raw`-w '\n'`);
  });

  it('says which ledger its chapters are for, before the first that reads a file of it', () => {
    const [before = ''] = readme.split('data/webhook-secret)');
    expect(before).to.match(/for the ledger that `npm start` runs: end the demonstration first/);
  });
});

import { expect } from 'chai';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { contextOf, gatheringTerminal } from '../support/gathering-terminal.ts';

const shown = async (...args: readonly string[]): Promise<string> => {
  const { terminal, out, err } = gatheringTerminal();
  await runCommandLine(contextOf(terminal), args);
  return out() + err();
};

describe('each command', () => {
  for (const name of Object.keys(COMMANDS)) {
    it(`is loaded by its name: ${name}`, async () => {
      expect(await shown(name, '--help')).to.match(new RegExp(`^Usage: ramp-ledger ${name}[ \n]`));
    });
  }

  it('is listed, whichever is meant', async () => {
    const listed = [...(await shown('--help')).matchAll(/^ {2}([a-z-]+)(?: |$)/gm)].map(([, name]) => name);
    expect(listed).to.include.members(Object.keys(COMMANDS));
    expect(await shown('help')).to.equal(await shown('--help'));
    expect(await shown('help', 'orders')).to.equal(await shown('orders', '--help'));
  });

  it('is suggested where its name is misspelt, and no name of an object is one', async () => {
    expect(await shown('servee')).to.contain('Did you mean serve?');
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(await shown(name)).to.contain(`unknown command '${name}'`);
    }
  });
});

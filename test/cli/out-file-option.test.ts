import { expect } from 'chai';
import { failing } from '../../src/cli/command-failure.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { contextOf, gatheringTerminal } from '../support/gathering-terminal.ts';

const COMMANDS: readonly (readonly [command: string, example: string])[] = [
  ['export orders', 'orders.csv'],
  ['export orders --format csv', 'orders.csv'],
  ['export audit --format ndjson', 'orders.csv'],
  ['evidence ord-1001', 'ord-1001.zip'],
  ['evidence ord-1001 --pii', 'ord-1001.zip'],
  ['period workbook 2026-03', 'close-2026-03.xlsx'],
];

describe('a file with a manifest beside it', () => {
  const run = async (command: string, out: string) => {
    const { terminal, out: shown, err } = gatheringTerminal();
    const openLedger = async () => failing(1, 'it came as far as the ledger');
    const status = await runCommandLine(contextOf(terminal, { openLedger }), [...command.split(' '), '--out', out]);
    return { status, out: shown(), err: err() };
  };

  for (const [command, example] of COMMANDS) {
    it(`is not standard output, which is said before anything is read: ${command} --out -`, async () => {
      const { status, out, err } = await run(command, '-');
      expect({ status, out }, err).to.deep.equal({ status: 2, out: '' });
      expect(err).to.match(/^error: [^\n]*--out[^\n]*manifest is written beside[^\n]*standard output[^\n]*\n$/);
      expect(err).to.contain(`--out ${example}`).and.not.contain('--format');
    });
  }

  it('may be called - where a folder says that it is a file', async () => {
    const { status, err } = await run('export orders --format csv', './-');
    expect({ status, err }).to.deep.equal({ status: 1, err: 'ramp-ledger: it came as far as the ledger\n' });
  });
});

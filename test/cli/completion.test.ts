import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { contextOf, gatheringTerminal } from '../support/gathering-terminal.ts';

const run = promisify(execFile);

const ended = async (
  ...args: readonly string[]
): Promise<{ readonly status: number; readonly out: string; readonly err: string }> => {
  const { terminal, out, err } = gatheringTerminal();
  const status = await runCommandLine(contextOf(terminal), args);
  return { status, out: out(), err: err() };
};

describe('the completion of the command line', () => {
  /** What bash offers behind these words, the last of which is being written. */
  const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await ended('completion', 'bash');
    const line = words.map((word) => `'${word}'`).join(' ');
    const script = `${out}\nCOMP_WORDS=(ramp-ledger ${line}); COMP_CWORD=${words.length}; _ramp_ledger; printf '%s\\n' "\${COMPREPLY[@]}"`;
    // Where its input is a socket, as here, bash reads the user's own settings even for a script.
    const { stdout, stderr } = await run('bash', ['--norc', '-uc', script]);
    expect(stderr).to.equal('');
    return stdout.split('\n').filter((word) => word !== '');
  };

  it('offers commands, sub-commands, options and their words in bash', async () => {
    expect(await offered('rep')).to.have.members(['replay', 'report']);
    expect(await offered('quarantine', '')).to.include.members(['list', 'release', '--help']);
    expect(await offered('transfers', '')).to.include.members(['import', 'sync']);
    expect(await offered('report', 'on')).to.deep.equal(['onramp']);
    expect(await offered('report', 'onramp', '--g')).to.deep.equal(['--group-by']);
    expect(await offered('quarantine', 'list', '--li')).to.deep.equal(['--limit']);
    expect(await offered('report', '--from', '2026-01-01', 'off')).to.deep.equal(['offramp']);
    expect(await offered('export', 'audit', '--')).to.include.members(['--out', '--verify']);
    expect(await offered('export', 'audit', '--limit')).to.deep.equal([]);
    expect(await offered('migrate', '--')).to.have.members(['--from', '--to', '--json', '--help']);
    expect(await offered('doctor', '--j')).to.deep.equal(['--json']);
  });

  it('is a script for each shell, with every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { status, out } = await ended('completion', shell);
      expect(status).to.equal(0);
      for (const word of [
        'serve',
        'order',
        'export',
        'quarantine',
        'migrate',
        'doctor',
        'completion',
        '--group-by',
        'offramp',
      ]) {
        expect(out, shell).to.include(word);
      }
    }
  });
});

describe('a slip of the pen on the command line', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['ordr', 'x'], 'Did you mean order?'],
    [['quarantine', 'lst'], 'Did you mean list?'],
    [['report', 'onramp', '--grup-by', 'day'], 'Did you mean --group-by?'],
    [['report', 'onrmp'], 'Did you mean onramp?'],
    [['completion', 'bsh'], 'Did you mean bash?'],
  ];
  for (const [args, hint] of cases) {
    it(`${args.join(' ')}: ${hint}`, async () => {
      const { status, err } = await ended(...args);
      expect([status, err.includes(hint)], err).to.deep.equal([2, true]);
      expect(err, 'in one line, with where to look').to.match(/^[^\n]+ – see ramp-ledger( \w+)* --help\n$/);
    });
  }
});

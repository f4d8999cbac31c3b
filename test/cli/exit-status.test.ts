import { expect } from 'chai';
import { failing } from '../../src/cli/command-failure.ts';
import { statusOf } from '../../src/cli/exit-status.ts';

describe('the failure of a command', () => {
  it('is one line, whatever the name has in it that it tells of', () => {
    const notes: string[] = [];
    const terminal = { note: (text: string) => notes.push(text) };
    expect(statusOf(terminal, failing(1, 'a\nramp-ledger: all is well\r\n.csv is not there'))).to.equal(1);
    expect(notes).to.deep.equal(['ramp-ledger: a\\u000aramp-ledger: all is well\\u000d\\u000a.csv is not there\n']);
  });
});

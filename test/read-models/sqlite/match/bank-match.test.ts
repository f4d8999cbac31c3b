import { expect } from 'chai';
import { linesBehind } from '../../../../src/read-models/sqlite/match/bank-match.ts';
import { lineOf, linesOfFile } from '../../../support/match-batches.ts';

describe('what bank files say to the match', () => {
  const lines = linesOfFile('a file', [lineOf('a', {}), lineOf('b', {})]);
  const statementId = lines[0]?.statementId ?? expect.fail('a line');
  const question = { statementId, after: null, limit: 10 };

  it('is read line by line behind another one', () => {
    expect(linesBehind({ lines: () => lines }, question)).to.deep.equal(lines);
    expect(linesBehind({ lines: () => lines.slice(1) }, { ...question, after: 0 })).to.deep.equal(lines.slice(1));
  });

  it('ends with an error where lines say another place than they are found at, or another file', () => {
    const [, last] = lines;
    const other = linesOfFile('another file', [lineOf('a', {})]);
    // The page behind line 1 is again that of line 1: its row says that it stands farther on.
    expect(() => linesBehind({ lines: () => (last === undefined ? [] : [last]) }, { ...question, after: 1 })).to.throw(
      /^a line of bank file \w+ is damaged; run "ramp-ledger replay"$/,
    );
    expect(() => linesBehind({ lines: () => lines.toReversed() }, question)).to.throw('is damaged');
    expect(() => linesBehind({ lines: () => other }, question)).to.throw('is damaged');
  });
});

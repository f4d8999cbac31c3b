import { expect } from 'chai';
import { guessProfile } from '../../src/statements/table/guess-profile.ts';

/** What the columns of a table are taken for. */
const usesOf = (...rows: readonly string[]) =>
  guessProfile({ rows: rows.map((row, at) => ({ line: at + 1, cells: row.split(',') })), delimiter: ',' })?.uses;

describe('what a table seems to be', () => {
  it('has the account of its file where each line has the same, and nobody else’s', () => {
    const header = 'Date,Payee,Account number,Amount';
    const [one, other] = ['2026-04-10,Asha,DE89370400440532013000,-3', '2026-04-11,Vikram,NL91ABNA0417164300,-4'];
    expect(usesOf(header, one, one)).to.deep.equal(['date', null, 'account', 'amount']);
    expect(usesOf(header, one, other)).to.deep.equal(['date', null, null, 'amount']);
    expect(usesOf(header, one), 'one line does not tell').to.deep.equal(['date', null, null, 'amount']);
  });

  it('has for its text what a payer wrote, and for references the numbers of payments', () => {
    const uses = ['date', 'text', 'reference', 'reference', 'amount'];
    expect(usesOf('Date,Payment reference,Payment Ref No,UTR,Amount', '2026-04-10,for April,17,N1,-3')).to.deep.equal(
      uses,
    );
  });
});

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

  it('has its direction where a header says so, and nothing but words for one stand below', () => {
    for (const header of ['Dr/Cr', 'S/H', 'Soll/Haben', 'Type', 'Direction', 'Credit/Debit'])
      for (const words of [
        ['DR', 'CR'],
        ['C', 'C'],
        ['Withdrawal', 'Deposit'],
      ])
        expect(
          usesOf(`Date,Narration,Amount,${header}`, ...words.map((word) => `2026-04-10,rent,3,${word}`)),
          header,
        ).to.deep.equal(['date', 'text', 'amount', 'direction']);
    const typed = 'Date,Narration,Amount,Type';
    expect(usesOf(typed, '2026-04-10,rent,3,DR', '2026-04-11,food,4,CHEQUE')).not.to.include('direction');
    expect(usesOf(typed, '2026-04-10,rent,3,'), 'no word').not.to.include('direction');
    expect(usesOf(typed, '2026-04-10,rent,3,-'), 'a word for nothing').not.to.include('direction');
    expect(usesOf('Date,Narration,Amount,Status', '2026-04-10,rent,3,S')).not.to.include('direction');
    expect(usesOf('Date,Narration,Amount,Dr/Cr', '2026-04-10,rent,-3,DR'), 'signs').not.to.include('direction');
  });

  it('has no direction beside columns of credits and debits, nor by the mark of a balance', () => {
    expect(usesOf('Date,Debit,Credit,Type', '2026-04-10,3,,DR')).to.deep.equal(['date', 'debit', 'credit', null]);
    expect(usesOf('Date,Amount,Dr/Cr,Balance,Dr/Cr', '2026-04-10,3,DR,9,CR')?.slice(0, 3)).to.deep.equal([
      'date',
      'amount',
      'direction',
    ]);
    expect(usesOf('Date,Amount,Balance,Dr/Cr', '2026-04-10,3,9,DR')).not.to.include('direction');
  });
});

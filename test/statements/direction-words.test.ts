import { expect } from 'chai';
import { directionHeader, isMarkOfBalance } from '../../src/statements/table/direction-header.ts';
import { DIRECTION_WORDS, directionWord } from '../../src/statements/table/direction-words.ts';
import { repositoryFile } from '../support/repository-file.ts';

describe('words for a direction', () => {
  it('count whatever their case, and the dots, blanks and brackets around them', () => {
    for (const direction of ['in', 'out'] as const)
      for (const word of DIRECTION_WORDS[direction])
        for (const written of [word, word.toUpperCase(), ` ${word}. `, `(${word})`, `[${word}]`])
          expect(directionWord(written), written).to.equal(direction);
    for (const [written, direction] of [
      ['C.R.', 'in'],
      ['Paid  In', 'in'],
      ['Dr.', 'out'],
      ['(D)', 'out'],
      ['−', 'out'],
      ['De\u0301bit', 'out'],
    ] as const)
      expect(directionWord(written), written).to.equal(direction);
  });

  it('are none but those that are listed: not those of a reversal, of a deposit beside W, nor a part of a text', () => {
    for (const text of ['', ' ', '.', '()', 'RC', 'RD', 'W', 'CRDR', 'Debit card', 'x', '–', '0', 'S'.repeat(41)])
      expect(directionWord(text), text).to.equal(null);
    expect(directionWord('constructor')).to.equal(null);
  });

  it('are of one direction each, and all stand in the document', () => {
    const all = [...DIRECTION_WORDS.in, ...DIRECTION_WORDS.out];
    expect(new Set(all).size).to.equal(all.length);
    const document = repositoryFile('docs/spec/statements.md');
    for (const direction of ['in', 'out'] as const) {
      const row = document.split('\n').find((line) => line.startsWith(`| ${direction} `)) ?? '';
      expect([...row.matchAll(/`([^`]+)`/g)].map(([, word]) => word)).to.deep.equal(DIRECTION_WORDS[direction]);
    }
  });
});

describe('the header of a column of directions', () => {
  it('says it plainly, perhaps or not', () => {
    for (const name of [
      'Dr/Cr',
      'Dr / Cr',
      'CR/DR',
      'DrCr',
      'D/C',
      'D/K',
      'S/H',
      'Soll/Haben',
      'Soll-/Haben-Kennzeichen',
      'Debit/Credit',
      'Credit or Debit',
      'Withdrawal/Deposit',
      'Af Bij',
      'Money in/out',
      'Direction',
      'Sign',
      '+/-',
      'CdtDbtInd',
    ])
      expect(directionHeader([name], 0, -1), name).to.equal('plainly');
    for (const name of ['Type', 'Transaction Type', 'Art', 'Indicator'])
      expect(directionHeader([name], 0, -1), name).to.equal('perhaps');
    for (const name of [
      'Status',
      'Narration',
      'Debit',
      'Credit',
      'Debit/Credit card',
      'Card type',
      'Balance Dr/Cr',
      '',
    ])
      expect(directionHeader([name], 0, -1), name).to.equal(null);
  });

  it('says nothing behind a balance, which it marks as overdrawn, unless the amount stands behind it', () => {
    const header = ['Amount', 'Dr/Cr', 'Balance', 'Dr/Cr'];
    expect([1, 3].map((column) => directionHeader(header, column, 0))).to.deep.equal(['plainly', null]);
    expect([1, 3].map((column) => isMarkOfBalance(header, column, 0))).to.deep.equal([false, true]);
    expect(isMarkOfBalance(['Amount', 'Balance', 'Dr/Cr'], 2, 0), 'it may be of either').to.equal(false);
    expect(directionHeader(['Balance', 'Dr/Cr', 'Amount'], 1, 2)).to.equal('plainly');
  });
});

import { expect } from 'chai';
import * as fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { DIRECTION_WORDS } from '../../src/statements/table/direction-words.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable, type StatementUnreadable } from '../../src/statements/unreadable.ts';
import { runs } from '../support/runs.ts';

type Row = readonly (string | number)[];

const BOTH_FORMATS = ['csv', 'xlsx'] as const;
const COLUMNS = { date: 'Date', dateFormat: 'dd/mm/yyyy', currency: 'INR', text: ['Text'] };
const AMOUNT = { ...COLUMNS, amount: 'Amount' };
const DIRECTED = { ...AMOUNT, direction: 'Dr/Cr' };

const bytesOf = async (format: 'csv' | 'xlsx', rows: readonly Row[]): Promise<Uint8Array> =>
  format === 'csv'
    ? Buffer.from(rows.map((cells) => cells.join(',')).join('\n'))
    : writeXlsx({ sheets: [{ name: 'S', rows: rows.map((cells) => [...cells]) }] });

const open = async (rows: readonly Row[], columns: object, format: 'csv' | 'xlsx' = 'csv') => {
  const profile = parseProfile(columns);
  if (isWrongProfile(profile)) return expect.fail(profile.detail);
  return openStatement(await bytesOf(format, rows), { format, profile, account: 'A', currency: null });
};

const linesOf = async (...asked: Parameters<typeof open>): Promise<readonly string[]> => {
  const read = await open(...asked);
  if (isUnreadable(read)) return expect.fail(JSON.stringify(read));
  return read.lines(0, 99).map(({ direction, amount }) => `${direction} ${amount}`);
};

const refusal = async (...asked: Parameters<typeof open>): Promise<StatementUnreadable> => {
  const read = await open(...asked);
  return isUnreadable(read) ? read : expect.fail(`it was read: ${JSON.stringify(read.lines(0, 9))}`);
};

/** Rows of an amount and what else stands beside it. */
const table = (names: readonly string[], ...rows: readonly Row[]): readonly Row[] => [
  ['Date', 'Text', 'Amount', ...names],
  ...rows.map((cells) => ['10/03/2026', 'payout', ...cells]),
];

const drCr = (...rows: readonly Row[]): readonly Row[] => table(['Dr/Cr'], ...rows);

describe('tables whose direction stands in a column of its own', () => {
  for (const format of BOTH_FORMATS)
    it(`are read by it, in ${format}`, async () => {
      const rows = drCr(['100.00', 'DR'], ['5.00', 'Cr.'], ['-7.50', 'CR'], ['0.00', 'DR']);
      expect(await linesOf(rows.toSpliced(3, 1), DIRECTED, format)).to.deep.equal(['out 100.00', 'in 5.00', 'in 0.00']);
      const { line, field, detail } = await refusal(rows, DIRECTED, format);
      expect([line, field]).to.deep.equal([4, 'Dr/Cr']);
      expect(detail).to.include('"CR" says that the line came in');
    });

  it('may have a sign, or CR and DR, at the figure that says the same, and are refused where it says the other', async () => {
    expect(
      await linesOf(drCr(['-100.00', 'DR'], ['(5.00)', 'D'], ['6.00-', 'S'], ['+7', 'CR']), DIRECTED),
    ).to.deep.equal(['out 100.00', 'out 5.00', 'out 6.00', 'in 7']);
    for (const [amount, word] of [
      ['-100.00', 'CR'],
      ['5.00 DR', 'C'],
      ['5.00 CR', 'DR'],
      ['+5.00', 'DR'],
    ] as const)
      expect(await refusal(drCr([amount, word]), DIRECTED), amount).to.include({ line: 2, field: 'Dr/Cr' });
  });

  it('are refused where a line has no word, or one that says nothing', async () => {
    for (const word of ['', ' ', 'W', 'reversal', 'CR DR']) {
      const refused = await refusal(drCr(['5.00', 'CR'], ['5.00', word]), DIRECTED);
      expect(refused, word).to.include({ line: 3, field: 'Dr/Cr' });
      expect(refused.detail).to.match(/: CR, credit, H, in or \+ say that a line came in, DR, .* that it went out$/);
    }
  });

  it('are refused where debits have both signs, or the column has both signs and words', async () => {
    expect(await refusal(drCr(['5.00', 'CR'], ['5.00', 'DR'], ['-2.00', 'DR']), DIRECTED)).to.include({
      line: 4,
      field: 'Amount',
    });
    expect(await refusal(drCr(['5.00', 'CR'], ['5.00', '-']), DIRECTED)).to.include({ line: 3, field: 'Dr/Cr' });
    expect(await linesOf(drCr(['5.00', '+'], ['6.00', '−']), DIRECTED)).to.deep.equal(['in 5.00', 'out 6.00']);
  });

  it('name the mark of the amount by a header that a balance has too, and are refused where neither stands beside it', async () => {
    const rows = table(['Dr/Cr', 'Balance', 'Dr/Cr'], ['5.00', 'DR', '9.00', 'CR']);
    expect(await linesOf(rows, DIRECTED)).to.deep.equal(['out 5.00']);
    const apart = table(['Balance', 'Dr/Cr', 'More', 'Dr/Cr'], ['5.00', '9.00', 'CR', '', 'DR']);
    expect(await refusal(apart, DIRECTED)).to.include({ line: 1, field: 'Dr/Cr' });
    expect(await refusal(table([], ['5.00']), DIRECTED)).to.include({ line: 1, field: 'Dr/Cr' });
  });

  it('are read alike with words, with signs, and with two columns', async () => {
    const lines = fc.array(
      fc.record({
        cents: fc.integer({ min: 1, max: 99_999_999 }),
        isIn: fc.boolean(),
        word: fc.nat(),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom(...BOTH_FORMATS),
        async (all, areSigned, areSigns, format) => {
          const figures = all.map(({ cents, isIn, word }) => {
            const words = DIRECTION_WORDS[isIn ? 'in' : 'out'];
            const chosen = areSigns ? words[0] : words[1 + (word % (words.length - 1))];
            return { isIn, amount: (cents / 100).toFixed(2), word: chosen ?? '' };
          });
          const signed = ({ isIn, amount }: (typeof figures)[number]): string => (isIn ? amount : `-${amount}`);
          const expected = figures.map(({ isIn, amount }) => `${isIn ? 'in' : 'out'} ${amount}`);
          const worded = drCr(...figures.map((one) => [areSigned ? signed(one) : one.amount, one.word]));
          const two = table(
            ['In', 'Out'],
            ...figures.map(({ isIn, amount }) => ['', isIn ? amount : '', isIn ? '' : amount]),
          );
          expect(await linesOf(worded, DIRECTED, format)).to.deep.equal(expected);
          expect(await linesOf(table([], ...figures.map((one) => [signed(one)])), AMOUNT, format)).to.deep.equal(
            expected,
          );
          expect(await linesOf(two, { ...COLUMNS, credit: 'In', debit: 'Out' }, format)).to.deep.equal(expected);
          // Nobody reads a debit of them as a credit, whichever column is forgotten.
          if (!areSigned && figures.some(({ isIn }) => !isIn))
            expect(await refusal(worded, AMOUNT, format)).to.include({ field: 'Dr/Cr' });
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

describe('a column of directions that a profile does not read', () => {
  for (const format of BOTH_FORMATS)
    it(`has the table refused where it says that a line went out, in ${format}`, async () => {
      const refused = await refusal(drCr(['5.00', 'CR'], ['100.00', 'DR']), AMOUNT, format);
      expect(refused).to.include({ line: 3, field: 'Dr/Cr' });
      expect(refused.detail).to.include('name this column as direction');
    });

  it('is found under any header, of one direction or both, as text or reference too', async () => {
    for (const [name, ...words] of [
      ['Narration 2', 'C', 'D'],
      ['x', 'H', 'S'],
      ['x', '+', '-'],
      ['x', 'Debit', 'debit'],
      ['', 'Withdrawal', 'Deposit'],
      ['Type', 'D', 'D'],
      ['S/H', 'S', 'S'],
      ['+/-', '-', '-'],
    ] as const) {
      const rows = table([name], ...words.map((word) => ['5.00', word]));
      expect((await refusal(rows, AMOUNT)).field, name).to.equal(name === '' ? 'column 4' : name);
      if (name === '') continue;
      for (const more of [{ text: ['Text', name] }, { reference: [name] }])
        expect((await refusal(rows, { ...AMOUNT, ...more })).field, name).to.equal(name);
    }
  });

  it('may leave out lines of nothing, and under its own name also others', async () => {
    for (const rows of [
      table(['x'], ['0.00', ''], ['5.00', 'DR']),
      table(['x'], ['5.00', 'DR'], ['0.00', '']),
      drCr(['5.00', ''], ['6.00', 'DR']),
      drCr(['5.00', 'reversal'], ['6.00', 'DR']),
      // An amount with a sign is one that was taken back, perhaps.
      drCr(['-5.00', 'DR'], ['6.00', 'DR']),
      // Nothing else says the direction of these amounts: it may be of them, or of the balance.
      table(['Balance', 'Dr/Cr'], ['5.00', '7.00', 'DR'], ['1.00', '6.00', 'DR']),
    ])
      expect(await refusal(rows, AMOUNT))
        .to.have.property('detail')
        .that.includes('name this column as direction');
  });

  it('is left alone where it agrees with what is read, or is of something else', async () => {
    for (const rows of [
      drCr(['5.00', 'CR'], ['6.00', 'CR']),
      drCr(['5.00', 'CR'], ['-6.00', 'DR'], ['0.00', 'DR']),
      // Whether the account is overdrawn.
      table(['Dr/Cr', 'Balance', 'Dr/Cr'], ['5.00', 'CR', '7.00', 'DR']),
      table(['Balance', 'Dr/Cr'], ['-5.00', '7.00', 'DR'], ['1.00', '6.00', 'DR']),
      table(['Balance type'], ['5.00', 'DR']),
      table(['Card type'], ['5.00', 'Debit'], ['6.00', 'Credit']),
      // What banks write for nothing, and codes of anything.
      table(['Cheque no'], ['5.00', '-'], ['6.00', '-']),
      table(['Status'], ['5.00', 'S'], ['6.00', 'S']),
      table(['Cheque no'], ['5.00', '-'], ['6.00', 'C']),
      table(['x'], ['5.00', 'DR'], ['6.00', 'fee']),
      table(['x'], ['5.00', ''], ['6.00', 'DR']),
      table(['Product'], ['-5.00', 'Debit'], ['6.00', 'Debit']),
    ])
      expect(await linesOf(rows, AMOUNT), JSON.stringify(rows)).to.have.length(rows.length - 1);
  });

  it('is none beside columns of credits and debits', async () => {
    const rows = table(['Out', 'Dr/Cr'], ['5.00', '', 'DR'], ['', '6.00', 'CR']);
    expect(await linesOf(rows, { ...COLUMNS, credit: 'Amount', debit: 'Out' })).to.deep.equal(['in 5.00', 'out 6.00']);
  });
});

describe('a profile with a column of directions', () => {
  it('has one column of amounts, and no other', () => {
    const member = (more: object): string => {
      const parsed = parseProfile({ ...COLUMNS, ...more });
      return isWrongProfile(parsed) ? `${parsed.member}: ${parsed.detail}` : (parsed.direction ?? 'none');
    };
    expect(member({ amount: 'A', direction: 'D' })).to.equal('D');
    expect(member({ amount: 'A', direction: null })).to.equal('none');
    expect(member({ amount: 'A', direction: ' ' })).to.equal('direction: it names no column');
    expect(member({ credit: 'I', debit: 'O', direction: 'D' })).to.equal(
      'direction: it stands beside credit and debit, which say the direction themselves',
    );
    expect(member({ amount: { credit: 'I', debit: 'O' }, direction: 'D' })).to.match(/^direction: it stands beside/);
    expect(member({ amount: 'A', direction: 7 })).to.match(/^body: /);
  });
});

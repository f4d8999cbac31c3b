import { expect } from 'chai';
import { unzipSync, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { openStatement, type OpenedStatement } from '../../src/statements/opened-statement.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable, type StatementUnreadable } from '../../src/statements/unreadable.ts';

const ONE_AMOUNT = { amount: 'Amount' };
const TWO_AMOUNTS = { credit: 'In', debit: 'Out' };

const open = async (
  bytes: Uint8Array,
  format: 'csv' | 'xlsx',
  more: object,
): Promise<OpenedStatement | StatementUnreadable> => {
  const profile = parseProfile({
    date: 'Date',
    dateFormat: 'dd/mm/yyyy',
    reference: ['Ref'],
    text: ['Text'],
    currency: 'INR',
    ...more,
  });
  if (isWrongProfile(profile)) return expect.fail(profile.detail);
  return openStatement(bytes, { format, profile, account: 'A', currency: null });
};

const csv = (text: string, more: object = ONE_AMOUNT) => open(Buffer.from(text), 'csv', more);

const refusal = async (reading: ReturnType<typeof open>): Promise<readonly [number | null, string]> => {
  const read = await reading;
  return isUnreadable(read) ? [read.line, read.field] : expect.fail(`it was read: ${JSON.stringify(read.lines(0, 9))}`);
};

const linesOf = async (reading: ReturnType<typeof open>): Promise<readonly string[]> => {
  const read = await reading;
  if (isUnreadable(read)) return expect.fail(JSON.stringify(read));
  return read.lines(0, 9).map(({ direction, amount, references }) => [direction, amount, ...references].join(' '));
};

const HEADER = 'Date,Text,Ref,Amount,Balance\n';
const rowOf = (amount: string): string => `01/02/2026,rent,R1,"${amount}",900\n`;

describe('tables that could be read as other figures', () => {
  it('are refused where a delimiter stands in a cell without quotes', async () => {
    expect(await refusal(csv(`${HEADER}01/02/2026,rent,R1,1,234.56,900\n`))).to.deep.equal([2, 'csv']);
    expect(await refusal(csv(`${HEADER}01/02/2026,Doe, 500,R1,100.00,900\n`))).to.deep.equal([2, 'csv']);
    // Empty cells behind the last column move nothing.
    expect(await linesOf(csv(`${HEADER}01/02/2026,rent,R1,5.00,900,,\n`))).to.deep.equal(['in 5.00 R1']);
  });

  it('are refused where a quote that is not closed joins two lines', async () => {
    const joined = `${HEADER}01/02/2026,"rent,R1,100.00,1\n02/02/2026,"food",R2,200.00,2\n`;
    expect((await refusal(csv(joined)))[1]).to.equal('csv');
    const inches = `${HEADER}01/02/2026,5" pipe,R1,1.00,1\n02/02/2026,"6" pipe",R2,2.00,1\n03/02/2026,"a\nb",R3,3.00,1\n`;
    expect(await linesOf(csv(inches))).to.deep.equal(['in 1.00 R1', 'in 2.00 R2', 'in 3.00 R3']);
  });

  it('are refused where the header has a column twice that is read once', async () => {
    const twice = 'Date,Text,Ref,Amount,Amount\n01/02/2026,rent,R1,5.00,450.00\n';
    expect(await refusal(csv(twice))).to.deep.equal([1, 'Amount']);
    const texts = 'Date,Text,Ref,Ref,Amount\n01/02/2026,rent,R1,R2,5.00\n';
    expect(await linesOf(csv(texts))).to.deep.equal(['in 5.00 R1 R2']);
  });

  it('are refused where a figure is of another currency than its line', async () => {
    for (const amount of ['USD 100.00', '100 EUR', '€100', '-$5', '$-5', 'ABC 1'])
      expect(await refusal(csv(HEADER + rowOf(amount))), amount).to.deep.equal([2, 'Amount']);
    for (const amount of ['INR 100.00', '₹100.00', 'Rs. 100.00', '100.00 INR', '¤100.00'])
      expect(await linesOf(csv(HEADER + rowOf(amount))), amount).to.deep.equal(['in 100.00 R1']);
    const dollars = csv(HEADER + rowOf('$100.00'), { ...ONE_AMOUNT, currency: 'AUD' });
    expect(await linesOf(dollars)).to.deep.equal(['in 100.00 R1']);
  });

  it('are refused where three digits may be a group or decimals, or blanks stand between two figures', async () => {
    for (const amount of ['1.234', '-12.000', '1 2', '100\n200', '1.00 5', '12 50.00'])
      expect((await refusal(csv(HEADER + rowOf(amount))))[1], amount).to.equal('Amount');
    const german = { ...ONE_AMOUNT, decimal: ',' };
    expect(await linesOf(csv(HEADER + rowOf('1.234'), german))).to.deep.equal(['in 1234 R1']);
    const dinars = csv(HEADER + rowOf('1.234'), { ...ONE_AMOUNT, currency: 'KWD' });
    expect(await linesOf(dinars)).to.deep.equal(['in 1.234 R1']);
    for (const [amount, read] of [
      ['0.125', '0.125'],
      ['1234.567', '1234.567'],
      ['1 234 567.80', '1234567.80'],
      ["1'234.50", '1234.50'],
      ['12 34 567.00', '1234567.00'],
    ])
      expect(await linesOf(csv(HEADER + rowOf(amount ?? '')))).to.deep.equal([`in ${read ?? ''} R1`]);
  });

  it('have three decimals where the profile says what stands before decimals', async () => {
    const said = { ...ONE_AMOUNT, decimal: '.' };
    expect(await linesOf(csv(HEADER + rowOf('100.011') + rowOf('500.000'), said))).to.deep.equal([
      'in 100.011 R1',
      'in 500.000 R1',
    ]);
    const german = { ...ONE_AMOUNT, decimal: ',' };
    expect(await linesOf(csv(HEADER + rowOf('100,011'), german))).to.deep.equal(['in 100.011 R1']);
  });

  it('are refused where debits have both signs', async () => {
    const header = 'Date,Text,Ref,In,Out\n';
    const debit = (amount: string): string => `01/02/2026,rent,R1,,${amount}\n`;
    expect(await refusal(csv(header + debit('100') + debit('-50'), TWO_AMOUNTS))).to.deep.equal([3, 'Out']);
    for (const sign of ['', '-'])
      expect(
        await linesOf(csv(header + debit(`${sign}100`) + debit('0.00') + debit(`${sign}50`), TWO_AMOUNTS)),
      ).to.deep.equal(['out 100 R1', 'out 0.00 R1', 'out 50 R1']);
  });

  it('are refused where a debit is marked as a credit', async () => {
    for (const amount of ['100 CR', '+100', '100(Cr)'])
      expect(await refusal(csv(`Date,Text,Ref,In,Out\n01/02/2026,rent,R1,,${amount}\n`, TWO_AMOUNTS))).to.deep.equal([
        2,
        'Out',
      ]);
  });

  it('have the figures of a workbook as spreadsheets reckon with them, and are refused where digits are lost', async () => {
    const sheet = async (reference: string | number, amount: number) =>
      open(
        await writeXlsx({
          sheets: [
            {
              name: 'S',
              rows: [
                ['Date', 'Text', 'Ref', 'Amount'],
                ['01/02/2026', 'rent', reference, amount],
              ],
            },
          ],
        }),
        'xlsx',
        ONE_AMOUNT,
      );
    expect(await linesOf(sheet(402_812_345_678, 0.1 + 0.2))).to.deep.equal(['in 0.3 402812345678']);
    expect(await linesOf(sheet('R1', 999_999_999_999.99))).to.deep.equal(['in 999999999999.99 R1']);
    expect(await refusal(sheet('R1', 1e15))).to.deep.equal([2, 'Amount']);
    expect(await refusal(sheet(402_812_345_678_901_250, 5))).to.deep.equal([2, 'reference']);
  });

  it('have the direction that the format of a number writes beside it, and are refused where it says it in two ways', async () => {
    const rows = (...figures: readonly (readonly [number, string])[]) =>
      writeXlsx({
        sheets: [
          {
            name: 'S',
            rows: [['Date', 'Text', 'Ref', 'Amount'], ...figures.map(([value]) => ['01/02/2026', 'rent', 'R1', value])],
            cells: new Map(
              figures.map(([value, numFmt], at) => [`${String(at + 1)},3`, { value, style: { numFmt } }] as const),
            ),
          },
        ],
      });
    const [split, single] = ['0.00" Cr";0.00" Dr"', '0.00\\ \\D\\r'];
    const bytes = await rows(
      [5, '""0.00" Dr"'],
      [6, '0.00" Cr"'],
      [-7, split],
      [8, split],
      [9, single],
      [-4, '0.00;(0.00)'],
    );
    expect(await linesOf(open(bytes, 'xlsx', ONE_AMOUNT))).to.deep.equal([
      'out 5 R1',
      'in 6 R1',
      'out 7 R1',
      'in 8 R1',
      'out 9 R1',
      'out 4 R1',
    ]);
    for (const [value, format] of [
      [-5, '0.00" Dr"'],
      [-5, '0.00" Dr";0.00" Cr"'],
      [5, '[>9]0.00" Dr";0.00" Cr"'],
      [5, '0.00" Dr/Cr"'],
    ] as const)
      expect(await refusal(open(await rows([value, format]), 'xlsx', ONE_AMOUNT)), format).to.deep.equal([2, 'Amount']);
  });

  it('are refused where the format of a number writes another currency beside it', async () => {
    const row = (numFmt: string) =>
      writeXlsx({
        sheets: [
          {
            name: 'S',
            rows: [
              ['Date', 'Text', 'Ref', 'Amount'],
              ['01/02/2026', 'rent', 'R1', 5],
            ],
            cells: new Map([['1,3', { value: 5, style: { numFmt } }]]),
          },
        ],
      });
    for (const own of ['[$INR] #,##0.00', '[$₹-4009]#,##0.00', '0.00" INR"', '[$-409]0.00', '0.00" PCS"'])
      expect(await linesOf(open(await row(own), 'xlsx', ONE_AMOUNT)), own).to.deep.equal(['in 5 R1']);
    for (const other of ['[$USD] #,##0.00', '[$€-2] #,##0.00', '0.00" EUR"', '"USD" 0.00;[Red]-0.00'])
      expect(await refusal(open(await row(other), 'xlsx', ONE_AMOUNT)), other).to.deep.equal([2, 'Amount']);
  });

  it('are refused where two rows of a workbook have one number, or one is behind the last of a sheet', async () => {
    const rows = [
      ['Date', 'Text', 'Ref', 'Amount'],
      ['01/02/2026', 'rent', 'R1', 5],
      ['02/02/2026', 'food', 'R2', 6],
    ];
    const parts = unzipSync(await writeXlsx({ sheets: [{ name: 'S', rows }] }));
    const named = (number: string) => {
      const changed = Object.entries(parts).map(([name, part]) => {
        const text = Buffer.from(part).toString();
        const numbered = text.replace('<row r="3"', `<row r="${number}"`).replace(/r="([A-D])3"/g, `r="$1${number}"`);
        return [name, Buffer.from(name.endsWith('sheet1.xml') ? numbered : text)] as const;
      });
      return open(zipSync(Object.fromEntries(changed)), 'xlsx', ONE_AMOUNT);
    };
    expect(await linesOf(named('4'))).to.deep.equal(['in 5 R1', 'in 6 R2']);
    for (const number of ['2', '1', '1048577']) expect((await refusal(named(number)))[1], number).to.equal('row');
  });
});

import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import type { WriteSheet } from 'hucre/xlsx';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const PROFILE = { date: 'Date', dateFormat: 'dd/mm/yyyy', reference: ['Ref'], amount: 'Amount', currency: 'INR' };
const HEADER = ['Date', 'Ref', 'Amount'];
const ROWS = [HEADER, ['01/02/2026', 412, 5], ['02/02/2026', 'R2', 6]];

/** What is read of a table, as the references and amounts of its lines; for a refusal what it names. */
const read = async (bytes: Uint8Array, format: 'csv' | 'xlsx'): Promise<readonly string[] | string> => {
  const profile = parseProfile(PROFILE);
  if (isWrongProfile(profile)) return expect.fail(profile.detail);
  const opened = await openStatement(bytes, { format, profile, account: 'A', currency: null });
  if (isUnreadable(opened)) return `${String(opened.line)} ${opened.field}: ${opened.detail}`;
  return opened.lines(0, 9).map(({ references, amount }) => [...references, amount].join(' '));
};

const workbook = async (...sheets: readonly WriteSheet[]) => read(await writeXlsx({ sheets: [...sheets] }), 'xlsx');

describe('cells that spreadsheets fill', () => {
  it('are not believed where a formula in another cell fills them', async () => {
    const value = { value: 5, formula: 'F1:F2', formulaType: 'array', formulaRef: 'C2:C3' } as const;
    const cells = new Map([['1,2', value]]);
    expect(await workbook({ name: 'S', rows: ROWS, cells })).to.equal('2 Amount: it is a formula');
    const above = new Map([['0,4', { ...value, formulaRef: 'B3:C4' }]]);
    expect(await workbook({ name: 'S', rows: ROWS, cells: above })).to.equal('3 Amount: it is a formula');
    const beside = new Map([['1,4', { ...value, formulaRef: 'E2:E3' }]]);
    expect(await workbook({ name: 'S', rows: ROWS, cells: beside })).to.deep.equal(['412 5', 'R2 6']);
  });

  it('are too many where more formulas fill several cells than a table has', async () => {
    const cells = new Map(
      Array.from({ length: 11 }, (_, at) => [
        `${String(at)},9`,
        { value: 1, formula: '1', formulaType: 'array', formulaRef: 'J1:J2' } as const,
      ]),
    );
    expect(await workbook({ name: 'S', rows: ROWS, cells })).to.equal(
      '1 xlsx: more than 10 formulas fill several cells each',
    );
  });

  it('are of no sheet that nobody sees', async () => {
    const seen = { name: 'Seen', rows: ROWS };
    const hidden = /^null xlsx: the first sheet is hidden/;
    expect(await workbook({ name: 'Old', rows: ROWS, hidden: true }, seen)).to.match(hidden);
    expect(await workbook({ name: 'Old', rows: ROWS, veryHidden: true }, seen)).to.match(hidden);
    expect(await workbook(seen, { name: 'Old', rows: [], hidden: true })).to.deep.equal(['412 5', 'R2 6']);
  });

  it('have the zeros that the format of a reference writes before it', async () => {
    const row = (numFmt: string) => ({
      name: 'S',
      rows: ROWS,
      cells: new Map([['1,1', { value: 412, style: { numFmt } }]]),
    });
    expect(await workbook(row('000000'))).to.deep.equal(['000412 5', 'R2 6']);
    expect(await workbook(row('00'))).to.deep.equal(['412 5', 'R2 6']);
    expect(await workbook(row('0.00'))).to.deep.equal(['412 5', 'R2 6']);
  });

  it('are no line where a row has none, in CSV as in a sheet', async () => {
    const csv = 'Date,Ref,Amount\n,,\n01/02/2026,412,5\n , ,\n,,,,\n02/02/2026,R2,6\n,,';
    expect(await read(Buffer.from(csv), 'csv')).to.deep.equal(['412 5', 'R2 6']);
    expect(await read(Buffer.from('Date,Ref,Amount\n,,0\n'), 'csv')).to.match(/^2 Date/);
    const rows = [HEADER, [null, '', null], ...ROWS.slice(1), ['', '', '']];
    expect(await workbook({ name: 'S', rows })).to.deep.equal(['412 5', 'R2 6']);
  });
});

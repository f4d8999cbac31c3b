import { expect } from 'chai';
import { unzipSync, zipSync } from 'fflate';
import { writeXlsx } from 'hucre/xlsx';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const rowOf = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;

const inline = (ref: string, text: string): string => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;

const HEADER = ['Date', 'Valued', 'Ref', 'Amount'].map((name, at) => inline(`${'ABCD'.charAt(at)}1`, name)).join('');

/** A workbook whose sheet has one row, with dates as these cells have them. */
const workbook = async (booked: string, valued: string): Promise<Uint8Array> => {
  const parts = unzipSync(await writeXlsx({ sheets: [{ name: 'S', rows: [['x']] }] }));
  const row = rowOf(2, `${booked}${valued}${inline('C2', 'R1')}<c r="D2"><v>5</v></c>`);
  const data = `<sheetData>${rowOf(1, HEADER)}${row}</sheetData>`;
  const changed = Object.entries(parts).map(([name, part]) => {
    if (!name.endsWith('sheet1.xml')) return [name, part] as const;
    const xml = Buffer.from(part)
      .toString()
      .replace(/<sheetData>.*<\/sheetData>/s, data)
      .replace(/<dimension[^>]*>/, '');
    return [name, Buffer.from(xml)] as const;
  });
  return zipSync(Object.fromEntries(changed));
};

const typed = (ref: string, text: string): string => `<c r="${ref}" t="d"><v>${text}</v></c>`;

/** The days of the line, or the field that it is refused for. */
const daysOf = async (bytes: Uint8Array, format: 'csv' | 'xlsx', dateFormat: string): Promise<string> => {
  const profile = parseProfile({
    date: 'Date',
    valueDate: 'Valued',
    dateFormat,
    amount: 'Amount',
    reference: ['Ref'],
    text: [],
    currency: 'INR',
  });
  if (isWrongProfile(profile)) return expect.fail(profile.detail);
  const read = await openStatement(bytes, { format, profile, account: 'A', currency: null });
  if (isUnreadable(read)) return `${String(read.line)} ${read.field}`;
  const [line] = read.lines(0, 1);
  return `${line?.bookedOn ?? ''} ${line?.valueOn ?? ''}`;
};

const sheetDays = async (booked: string, valued: string, dateFormat = 'dd/mm/yyyy'): Promise<string> =>
  daysOf(await workbook(typed('A2', booked), typed('B2', valued)), 'xlsx', dateFormat);

describe('dates that a workbook has by ISO 8601', () => {
  it('are read, whatever the form of dates is by the profile, and whatever time stands behind them', async () => {
    expect(await sheetDays('2026-03-10', '2026-03-11T23:59:59')).to.equal('2026-03-10 2026-03-11');
    expect(await sheetDays('2026-03-10T09:30', '2026-03-11T00:00:00.000Z')).to.equal('2026-03-10 2026-03-11');
    expect(await sheetDays('2026-03-10', '2026-03-11', 'yyyy-mm-dd')).to.equal('2026-03-10 2026-03-11');
    // Some writers have them as plain texts.
    const texts = await workbook(inline('A2', '2026-03-10'), inline('B2', '11/03/2026'));
    expect(await daysOf(texts, 'xlsx', 'dd/mm/yyyy')).to.equal('2026-03-10 2026-03-11');
  });

  it('are refused where they may be another day, or are none', async () => {
    for (const text of [
      '2026-03-09T18:30:00.000Z',
      '2026-03-10T00:00:00+05:30',
      '2026-02-30',
      '2026-3-10',
      '20260310',
      '2026-03-10 or later',
    ])
      expect(await sheetDays(text, '2026-03-10'), text).to.equal('2 Date');
    expect(await sheetDays('2026-03-10', '2026-03-11T12:00:00Z')).to.equal('2 Valued');
    expect(await sheetDays('2026-03-04', '2026-03-03', 'yyyy-dd-mm'), 'the form makes April of it').to.equal('2 Date');
    expect(await sheetDays('2026-03-03', '2026-03-03', 'yyyy-dd-mm')).to.equal('2026-03-03 2026-03-03');
  });

  it('are none in CSV, whose dates are as the profile says', async () => {
    const csv = Buffer.from('Date,Valued,Ref,Amount\n2026-03-10,11/03/2026,R1,5.00\n');
    expect(await daysOf(csv, 'csv', 'dd/mm/yyyy')).to.equal('2 Date');
  });
});

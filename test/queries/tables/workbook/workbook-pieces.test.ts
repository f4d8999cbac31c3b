import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { readXlsx } from 'hucre/xlsx';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { rowsAtHand, type Cell, type Sheet } from '../../../../src/queries/tables/workbook/sheet.ts';
import { spreadsheetTime } from '../../../../src/queries/tables/workbook/spreadsheet-time.ts';
import { wholeWorkbook } from '../../../../src/queries/tables/workbook/whole-workbook.ts';
import { workbookPieces } from '../../../../src/queries/tables/workbook/workbook-pieces.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const sheetOf = (rows: readonly (readonly Cell[])[], name = 'Rows'): Sheet<never> => ({
  name,
  title: 'What & why',
  columns: [0, 1, 2].map((i) => ({ heading: `Column ${i}`, width: 10, format: 'text' })),
  isFiltered: true,
  rows: () => rowsAtHand(rows.map((cells) => ({ cells }))),
});

const AT = { title: 'Rows', modified: new Date(0) };

describe('workbooks as they are written', () => {
  it('give each text, number and blank back as it was', async () => {
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter }).filter((text) => text !== ''),
      fc.constantFrom('_x0041_', '_x005F_x0041_', ' both ends ', 'a\r\nb', '=1+1', '\u0000\u0007', '<b>&"', '\uFFFF'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
        const { sheets } = await readXlsx(await wholeWorkbook({ ...AT, sheets: [sheetOf(rows)] }));
        const [, ...read] = sheets[0]?.rows ?? [];
        const blank = (value: unknown): unknown => value ?? null;
        expect(rows.map((row, i) => row.map((_cell, at) => blank(read[i]?.[at])))).to.deep.equal(rows);
      }),
      { numRuns: 60 },
    );
  });

  it('show half a character as an unknown one, and what follows it', async () => {
    const { sheets } = await readXlsx(
      await wholeWorkbook({ ...AT, sheets: [sheetOf([['a\uD83Db', '\uDE00', '\u{1F600}']])] }),
    );
    expect(sheets[0]?.rows[1]).to.deep.equal(['a\uFFFDb', '\uFFFD', '\u{1F600}']);
  });

  it('keep headings in view and on every printed page, and filter what is no total', async () => {
    const sheet: Sheet<never> = {
      ...sheetOf([], "It's"),
      printedColumns: 2,
      rows: () => rowsAtHand([{ cells: ['a'] }, { cells: ['b'] }, { cells: ['Total'], isTotal: true }]),
    };
    const parts = unzipSync(await wholeWorkbook({ ...AT, sheets: [sheet] }));
    const text = (name: string): string => Buffer.from(parts[name] ?? []).toString();
    expect(text('xl/worksheets/sheet1.xml')).to.include('state="frozen"').and.include('<autoFilter ref="A1:C3"/>');
    expect(text('xl/worksheets/sheet1.xml')).to.include('What &amp;&amp; why');
    expect(text('xl/workbook.xml')).to.include(">'It''s'!$1:$1<").and.include(">'It''s'!$A$1:$B$4<");
  });

  it('of more than a piece are handed on in pieces, and end with what fails', async () => {
    const rows = Array.from({ length: 20_000 }, (_row, i) => ({ cells: [`row ${i}`, i, 'x'.repeat(20)] }));
    const sheet = (last: E.Either<'gone', never>): Sheet<'gone'> => ({
      ...sheetOf([]),
      async *rows() {
        yield E.right(rows);
        yield last;
      },
    });
    const pieces: E.Either<'gone', Uint8Array>[] = [];
    for await (const piece of workbookPieces({ ...AT, sheets: [sheet(E.left('gone'))] })) pieces.push(piece);
    expect(pieces.length).to.be.greaterThan(5);
    expect(pieces.at(-1)).to.deep.equal(E.left('gone'));
  });

  it('show moments as the clock of a zone does, and what a spreadsheet cannot as text', () => {
    const time = spreadsheetTime(businessCalendar('Asia/Kolkata'));
    expect(time('1970-01-01T00:00:00.000Z')).to.equal(25_569 + 5.5 / 24);
    expect(time('2026-03-31T18:30:00.000Z')).to.equal(46_113);
    for (const text of ['0001-01-01T00:00:00.000Z', '2026-03-31T18:30:00.000000001Z', 'soon']) {
      expect(time(text)).to.equal(text);
    }
  });
});

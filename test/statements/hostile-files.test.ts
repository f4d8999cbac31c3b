import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { parse as parseCsv } from 'csv-parse/sync';
import { unzipSync, zipSync } from 'fflate';
import * as hucre from 'hucre/xlsx';
import { writeXlsx } from 'hucre/xlsx';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import type { StatementFormat } from '../../src/statements/statement-format.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { readCsv } from '../../src/statements/table/read-csv.ts';
import { readXlsxRows } from '../../src/statements/table/read-xlsx.ts';
import { isUnreadable, type StatementUnreadable } from '../../src/statements/unreadable.ts';
import { BOOKINGS } from '../support/bank-files/booking.ts';
import { camtFile } from '../support/bank-files/camt-file.ts';
import { mt940File } from '../support/bank-files/mt940-file.ts';
import { ofxFile } from '../support/bank-files/ofx-file.ts';
import { COLUMNS, HEADER } from '../support/bank-files/bank-files.ts';

const refusalOf = async (
  format: StatementFormat,
  bytes: Uint8Array,
  profile = COLUMNS,
): Promise<StatementUnreadable> => {
  const parsed = parseProfile(profile);
  if (isWrongProfile(parsed)) return expect.fail(parsed.detail);
  const read = await readStatementFile(bytes, { format, profile: parsed, account: 'A', currency: 'EUR' });
  return isUnreadable(read) ? read : expect.fail('it was read');
};

const le = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
};

/** An archive of one part that says of itself that it unpacks to so much. */
const archiveOf = (content: Buffer, said: number): Buffer => {
  const packed = deflateRawSync(content);
  const name = Buffer.from('xl/workbook.xml');
  const sizes = Buffer.concat([le(0, 4), le(packed.length, 4), le(said, 4), le(name.length, 2)]);
  const local = Buffer.concat([
    le(0x04034b50, 4),
    le(20, 2),
    le(0, 2),
    le(8, 2),
    le(0, 4),
    sizes,
    le(0, 2),
    name,
    packed,
  ]);
  const entry = Buffer.concat([
    le(0x02014b50, 4),
    le(20, 2),
    le(20, 2),
    le(0, 2),
    le(8, 2),
    le(0, 4),
    sizes,
    Buffer.alloc(16),
    name,
  ]);
  const end = Buffer.concat([
    le(0x06054b50, 4),
    le(0, 4),
    le(1, 2),
    le(1, 2),
    le(entry.length, 4),
    le(local.length, 4),
    le(0, 2),
  ]);
  return Buffer.concat([local, entry, end]);
};

describe('hostile bank files', () => {
  it('are refused by name where they report what is not final, or report it again', async () => {
    const as = (root: string): Promise<StatementUnreadable> =>
      refusalOf('camt.053', Buffer.from(camtFile(BOOKINGS).replaceAll('BkToCstmrStmt', root)));
    expect((await as('BkToCstmrAcctRpt')).detail).to.include('camt.052');
    expect((await as('BkToCstmrDbtCdtNtfctn')).detail).to.include('camt.054');
    const interim = [':20:X', ':25:ACC', ':28C:1/1', ':34F:EUR0,', ':61:2603050305C1,NTRFNONREF', ':90C:1EUR1,', '-'];
    expect(await refusalOf('mt940', Buffer.from(interim.join('\r\n')))).to.include({ line: 4, field: ':34F:' });
    const closed = [...interim.slice(0, 3), ':60F:C260304EUR0,', ...interim.slice(3, 5), ':62F:C260305EUR1,', '-'];
    const reading = { format: 'mt940', profile: null, account: null, currency: null } as const;
    const read = await readStatementFile(Buffer.from(closed.join('\r\n')), reading);
    expect(isUnreadable(read), 'a statement with a field of the other').to.equal(false);
  });

  it('bring no entities: a document type is refused', async () => {
    const lol = '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const bytes = Buffer.from(camtFile(BOOKINGS, { envelope: (document) => lol + document }));
    expect((await refusalOf('camt.053', bytes)).field).to.equal('DOCTYPE');
    const unknown = Buffer.from(camtFile(BOOKINGS, { details: () => '<AcctSvcrRef>&x;</AcctSvcrRef>' }));
    expect((await refusalOf('camt.053', unknown)).field).to.equal('xml');
  });

  it('are not read deeper than files of banks are', async () => {
    const deep = '<a>'.repeat(10_000);
    expect((await refusalOf('camt.053', Buffer.from(`<?xml version="1.0"?>${deep}`))).detail).to.contain('64 levels');
    expect((await refusalOf('ofx', Buffer.from(`OFXHEADER:100\n<OFX>${deep}`))).detail).to.contain('64 levels');
  });

  it('lose no booking where a tag is damaged: OFX', async () => {
    const file = ofxFile(BOOKINGS);
    for (const [tag, damaged, field] of [
      ['</STMTTRN>', '</STMTTRM>', 'STMTTRN'],
      ['</STMTTRN>', '', 'STMTTRN'],
      ['<STMTTRN>', '<STMTTRM>', 'STMTTRN'],
      ['<STMTTRN>', '', 'STMTTRN'],
    ] as const)
      expect((await refusalOf('ofx', Buffer.from(file.replace(tag, damaged)))).field, damaged).to.equal(field);
    const mixed = ofxFile(BOOKINGS, { mixed: true });
    expect((await refusalOf('ofx', Buffer.from(mixed.replace('</STMTTRN>', '')))).field).to.equal('STMTTRN');
  });

  it('are refused, and are no failure of the ledger, with more in an envelope than can be gone back over: MT940', async () => {
    const refused = await refusalOf('mt940', Buffer.from(`{1:}{3:${'{}'.repeat(8_000_000)}`));
    expect(refused).to.include({ line: 1, field: ':20:' });
  });

  it('are of currencies that there are or were', async () => {
    const inCurrency = (code: string): Buffer => Buffer.from(mt940File(BOOKINGS).replaceAll('EUR', code));
    for (const code of ['XXX', 'XTS', 'QQQ', 'EU1'])
      expect((await refusalOf('mt940', inCurrency(code))).field).to.equal(':60F:');
    const german = await readStatementFile(inCurrency('DEM'), {
      format: 'mt940',
      profile: null,
      account: null,
      currency: null,
    });
    expect(isUnreadable(german)).to.equal(false);
  });

  it('keep the currency that an entry is in: OFX', async () => {
    const inFrancs = (symbol: string): Buffer =>
      Buffer.from(ofxFile(BOOKINGS).replace('<FITID>', `<CURRENCY><CURRATE>0.9<CURSYM>${symbol}</CURRENCY><FITID>`));
    const read = await readStatementFile(inFrancs('CHF'), {
      format: 'ofx',
      profile: null,
      account: null,
      currency: null,
    });
    if (isUnreadable(read)) expect.fail(JSON.stringify(read));
    expect([...(read[0]?.lines ?? [])].map(({ currency }) => currency)).to.deep.equal([
      'CHF',
      ...BOOKINGS.slice(1).map(() => 'EUR'),
    ]);
    expect((await refusalOf('ofx', inFrancs('QQQ'))).field).to.equal('CURSYM');
  });

  it('unpack to no more than workbooks may, whatever they say of themselves', async () => {
    const bomb = archiveOf(Buffer.alloc(64 * 1_048_576), 1_000);
    expect(bomb.length).to.be.lessThan(100_000);
    expect((await refusalOf('xlsx', bomb)).field).to.equal('zip');
    expect((await refusalOf('xlsx', bomb.subarray(0, 500))).field).to.equal('zip');
  });

  it('have one directory: a second one, as ZIP64 has it, would unpack what nobody has looked at', async () => {
    const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: [[...HEADER]] }] }));
    const end = book.length - 22;
    const [size, from] = [book.readUInt32LE(end + 12), book.readUInt32LE(end + 16)];
    const wide = (value: number): Buffer => Buffer.concat([le(value, 6), le(0, 2)]);
    const parts = wide(book.readUInt16LE(end + 10));
    const further = Buffer.concat([
      le(0x06064b50, 4),
      wide(44),
      le(45, 2),
      le(45, 2),
      le(0, 4),
      le(0, 4),
      parts,
      parts,
      wide(size),
      wide(from),
    ]);
    const locator = Buffer.concat([le(0x07064b50, 4), le(0, 4), wide(end), le(1, 4)]);
    // The end record names the first part alone, and says that its directory is elsewhere.
    const record = Buffer.concat([
      le(0x06054b50, 4),
      le(0, 4),
      le(1, 2),
      le(1, 2),
      le(0xffff_ffff, 4),
      le(from, 4),
      le(0, 2),
    ]);
    const bytes = Buffer.concat([book.subarray(0, end), further, locator, record]);
    expect((await refusalOf('xlsx', bytes)).field).to.equal('zip');
  });

  it('are read in their first thousand columns, and refused where something stands behind them', async () => {
    const wide = (text: string): string[] => [...HEADER, ...Array.from({ length: 2_000 }, () => ''), text];
    const sheet = (rows: string[][]) => writeXlsx({ sheets: [{ name: 'S', rows }] });
    const refusal = await refusalOf('xlsx', await sheet([[...HEADER], wide('x')]));
    expect([refusal.line, refusal.field]).to.deep.equal([2, hucre.colToLetter(HEADER.length + 2_000)]);
    const widths: number[] = [];
    const narrow = await sheet([[...HEADER], ['a'], wide('')]);
    expect(await readXlsxRows(hucre, narrow, 0, ({ cells }) => widths.push(cells.length))).to.equal(null);
    // A row is as wide as its last cell, whatever others have.
    expect(widths).to.deep.equal([HEADER.length, 1, HEADER.length]);
  });

  it('are refused before the columns of a CSV record are kept where it has more than a thousand', async () => {
    const widths: number[] = [];
    const read = (text: string) => readCsv(parseCsv, text, 0, ';', ({ cells }) => widths.push(cells.length));
    const wide = ';'.repeat(1_000);
    const cases: readonly (readonly [string, number])[] = [
      [`a;b\n"x\n";${wide}`, 3],
      [`a;b\n\nx";${wide}`, 3],
      [`a;b\n"x";"y" z"${wide}\n`, 2],
    ];
    for (const [text, line] of cases) {
      expect(read(text)).to.deep.include({ line, field: 'csv', detail: 'only 1000 columns are read' });
    }
    expect(read(`a;b\n"${wide}";"a""${wide}"\nx${';'.repeat(999)}`)).to.equal(null);
    expect(widths).to.deep.equal([2, 2, 1_000]);
  });

  it('are not blamed for what fails in whoever takes their rows: that is a fault of the program, and is told as one', () => {
    const failing = (): never => {
      throw new RangeError('a place that is none');
    };
    expect(() => readCsv(parseCsv, 'a;b\n1;2', 0, ';', failing)).to.throw(RangeError, 'a place that is none');
    expect(readCsv(parseCsv, 'a;b\n"1;2', 0, ';', () => undefined)).to.deep.include({ field: 'csv' });
  });

  it('are not believed where a formula stands for a date or a figure', async () => {
    const row = (amount: number | null) => ['01/03/2026', '01/03/2026', 'n', 'R', amount, 'EUR'];
    const cells = new Map([['1,4', { formula: '1+1', value: 2 }]]);
    const bytes = await writeXlsx({ sheets: [{ name: 'S', rows: [[...HEADER], row(2)], cells }] });
    const refusal = await refusalOf('xlsx', bytes);
    expect([refusal.line, refusal.field, refusal.detail]).to.deep.equal([2, 'Amount', 'it is a formula']);
  });

  it('are refused where an element has an attribute twice, which no XML has: a parser would read the first', async () => {
    const plain = camtFile(BOOKINGS);
    const line = plain.slice(0, plain.indexOf('<Ntry>')).split('\n').length;
    const second = plain.indexOf('<Amt Ccy="EUR">', plain.indexOf('<Ntry>'));
    const written = (tag: string): Buffer =>
      Buffer.from(plain.slice(0, second) + plain.slice(second).replace('<Amt Ccy="EUR">', tag));
    for (const tag of [
      '<Amt Ccy="EUR" Ccy="INR">',
      `<Amt a=">" Ccy='EUR'\t Ccy = 'EUR' >`,
      '<Amt Ccy="EUR"><x/><x y="1" z="" y="1"/>',
    ])
      expect(await refusalOf('camt.053', written(tag)), tag).to.deep.include({ field: 'xml' });
    expect((await refusalOf('camt.053', written('<Amt Ccy="EUR" Ccy="INR">'))).line).to.equal(line);
    const outside = plain.replace('<GrpHdr>', '<GrpHdr a="1" a="1">');
    expect((await refusalOf('camt.053', Buffer.from(outside))).field).to.equal('xml');
    // Blanks, values that look like attributes, and names that differ by their prefix are none twice.
    for (const tag of [
      `<Amt Ccy="EUR"${' '.repeat(200_000)}>`,
      `<Amt a=' Ccy="EUR"' Ccy="EUR" b:Ccy="x" c=' Ccy="y"'>`,
    ]) {
      const read = await readStatementFile(written(tag), {
        format: 'camt.053',
        profile: null,
        account: null,
        currency: null,
      });
      expect(isUnreadable(read), tag.slice(0, 40)).to.equal(false);
    }
  });

  it('are in the encoding that they say they are in', async () => {
    const bytes = Buffer.from(camtFile(BOOKINGS).replace('Müller', 'M\u00fcller'), 'latin1');
    expect((await refusalOf('camt.053', bytes)).field).to.equal('encoding');
    const unknown = Buffer.from(camtFile(BOOKINGS, { declaration: '<?xml version="1.0" encoding="KLINGON"?>' }));
    expect((await refusalOf('camt.053', unknown)).field).to.equal('encoding');
    expect((await refusalOf('csv', Buffer.from('a,b\0c'))).field).to.equal('encoding');
  });

  it('bring no character that a store may refuse, however they write it', async () => {
    const csv = [HEADER.join(','), '01/03/2026,,n\0m,R,1.00,EUR'].join('\n');
    const utf16 = Buffer.from(`\ufeff${csv}`, 'utf16le');
    expect((await refusalOf('csv', utf16)).field).to.equal('encoding');
    expect((await refusalOf('csv', Buffer.from(`\ufeff${csv}`))).field).to.equal('encoding');
    const camt = (text: string): Buffer =>
      Buffer.from(camtFile(BOOKINGS, { details: () => `<AddtlNtryInf>${text}</AddtlNtryInf>` }));
    expect((await refusalOf('camt.053', camt('a\0b'))).field).to.equal('encoding');
    for (const entity of ['&#xD800;', '&#57343;', '&#0;', '&#x0;'])
      expect((await refusalOf('camt.053', camt(entity))).field, entity).to.be.oneOf(['AddtlNtryInf', 'xml']);
    const memo = (text: string): Buffer => Buffer.from(ofxFile(BOOKINGS.map((booking) => ({ ...booking, text }))));
    for (const entity of ['&#0;', '&#55296;', '&#57343;']) {
      const refusal = await refusalOf('ofx', memo(`n${entity}m`));
      expect(refusal.line, entity).to.be.greaterThan(10);
      expect(refusal.field, entity).to.be.oneOf(['NAME', 'MEMO']);
    }
    const row = ['01/03/2026', '01/03/2026', 'PLACE', 'R', 2, 'EUR'];
    const parts = unzipSync(await writeXlsx({ sheets: [{ name: 'S', rows: [[...HEADER], row] }] }));
    for (const entity of ['&#55296;', '&#0;']) {
      const changed = Object.entries(parts).map(([name, part]) => {
        const text = Buffer.from(part).toString();
        return [name, Buffer.from(name.endsWith('.xml') ? text.replace('PLACE', entity) : text)] as const;
      });
      const refusal = await refusalOf('xlsx', zipSync(Object.fromEntries(changed)));
      expect([refusal.line, refusal.field], entity).to.deep.equal([2, 'encoding']);
    }
  });

  it('are kept in lines that every store takes, cut between characters', async () => {
    const text = `${'x'.repeat(65_535)}😀 and more`;
    const reading = { format: 'mt940', profile: null, account: null, currency: null } as const;
    const opened = await openStatement(
      Buffer.from(mt940File(BOOKINGS.map((booking) => ({ ...booking, text })))),
      reading,
    );
    if (isUnreadable(opened)) expect.fail(opened.detail);
    for (const line of opened.lines(0, 10)) {
      expect([line.text, line.raw].every((cut) => cut.isWellFormed())).to.equal(true);
      expect(line.text.length).to.equal(65_535);
      expect(line.raw.length).to.be.lessThan(40_000);
    }
  });

  it('name the line and the field that cannot be read', async () => {
    const lines = [HEADER, ['01/03/2026', '', 'n', 'R', '1.00', 'EUR'], ['31/02/2026', '', 'n', 'R', '1.00', 'EUR']];
    const csv = (text: string): Buffer => Buffer.from(text);
    const text = lines.map((cells) => cells.join(',')).join('\n');
    const wrong: readonly (readonly [string, number, string])[] = [
      [text, 3, 'Booked'],
      [text.replace('31/02', '03/03').replace('1.00', '1.0.0'), 2, 'Amount'],
      [text.replace('31/02', '03/03').replace('R,1.00', 'R,'), 2, 'Amount'],
      [text.replace('31/02', '03/03').replace('EUR', 'EUX'), 2, 'Currency'],
      [text.replace('Narration', 'Words'), 1, 'Narration'],
    ];
    for (const [content, line, field] of wrong) {
      const refusal = await refusalOf('csv', csv(content));
      expect([refusal.line, refusal.field], content).to.deep.equal([line, field]);
    }
  });
});

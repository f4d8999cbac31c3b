import { expect } from 'chai';
import * as fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { normalised, parseDecimal } from '../../src/domain/decimal.ts';
import type { ReadStatement } from '../../src/statements/read-statement.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { recogniseFormat } from '../../src/statements/statement-format.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable, type StatementUnreadable } from '../../src/statements/unreadable.ts';
import type { BankFile } from '../support/bank-files/bank-file.ts';
import { BANK_FILES } from '../support/bank-files/bank-files.ts';
import { ACCOUNT, BOOKINGS, closingOf } from '../support/bank-files/booking.ts';
import { camtFile } from '../support/bank-files/camt-file.ts';
import { runs } from '../support/runs.ts';

type Read = readonly ReadStatement[] | StatementUnreadable;

const read = (file: BankFile, bytes = file.bytes): Promise<Read> => {
  const profile = file.profile === undefined ? null : parseProfile(file.profile);
  if (profile !== null && isWrongProfile(profile)) throw new Error(profile.detail);
  return readStatementFile(bytes, { format: file.format, profile, account: ACCOUNT, currency: null });
};

/** What was read, its lines too. */
const told = (statements: Read): unknown =>
  isUnreadable(statements) ? statements : statements.map((one) => ({ ...one, lines: [...one.lines] }));

const lineOf =
  ({ tells }: BankFile) =>
  (booking: (typeof BOOKINGS)[number]) => ({
    account: ACCOUNT,
    currency: 'EUR',
    bookedOn: booking.bookedOn,
    valueOn: tells.values ? booking.valueOn : booking.bookedOn,
    amount: normalised(parseDecimal(booking.amount) ?? expect.fail()),
    direction: booking.direction,
    reversal: tells.reversals && booking.reversal,
  });

describe('files of banks', () => {
  it('are more than forty dialects', () => {
    expect(new Set(BANK_FILES.map(({ name }) => name)).size).to.be.greaterThan(40);
  });

  for (const file of BANK_FILES)
    it(`are read: ${file.name}`, async () => {
      const statements = await read(file);
      if (isUnreadable(statements)) expect.fail(JSON.stringify(statements));
      const lines = statements.flatMap((statement) => [...statement.lines]);
      expect(
        lines.map(({ account, currency, bookedOn, valueOn, amount, direction, reversal }) => {
          return { account, currency, bookedOn, valueOn, amount: normalised(amount), direction, reversal };
        }),
      ).to.deep.equal(BOOKINGS.map(lineOf(file)));
      lines.forEach(({ references, raw }, at) => {
        expect(references).to.include(BOOKINGS[at]?.reference);
        expect(raw).not.to.equal('');
      });
      if (file.tells.balances)
        expect([statements[0]?.opening, statements[0]?.closing].map(Number)).to.deep.equal([
          1000,
          Number(closingOf(BOOKINGS)),
        ]);
      expect(recogniseFormat(file.bytes, file.profile !== undefined)).to.equal(file.format);
    });

  it('are never read with another sum than their balances say: a digit changed is refused, with line and field', async () => {
    for (const file of BANK_FILES.filter(({ tells }) => tells.balances)) {
      const text = Buffer.from(file.bytes).toString('latin1');
      const changed = text
        .replaceAll('120000', '120001')
        .replace('\u00001\u00002\u00000\u00000\u00000\u00000', '\u00001\u00002\u00000\u00000\u00000\u00001');
      const closing =
        changed === text
          ? text.replace('1\u00002\u00000\u00000\u00000\u00000', '1\u00002\u00000\u00000\u00000\u00001')
          : changed;
      expect(closing, file.name).not.to.equal(text);
      const refused = await read(file, Buffer.from(closing, 'latin1'));
      if (!isUnreadable(refused)) expect.fail(file.name);
      expect(refused.field, file.name).to.be.oneOf([':62F:', 'CLBD']);
      if (file.name !== 'MT940 with @@ for the ends of lines') expect(refused.line, file.name).to.be.greaterThan(0);
    }
  });

  it('are read alike from memory that threads share, where large ones lie that came by HTTP', async () => {
    const rows = [
      ['Booked', 'Amount', 'Narration'],
      ['2026-03-02', 12.5, 'INV-1'],
    ];
    const workbook: BankFile = {
      name: 'a workbook',
      format: 'xlsx',
      bytes: await writeXlsx({ sheets: [{ name: 'Sheet', rows }] }),
      profile: { date: 'Booked', dateFormat: 'yyyy-mm-dd', amount: 'Amount', text: ['Narration'], currency: 'EUR' },
      tells: { values: false, reversals: false, balances: false },
    };
    for (const file of [...BANK_FILES, workbook]) {
      const shared = new Uint8Array(new SharedArrayBuffer(file.bytes.length));
      shared.set(file.bytes);
      const statements = await read(file);
      expect(isUnreadable(statements), file.name).to.equal(false);
      expect(told(await read(file, shared)), file.name).to.deep.equal(told(statements));
    }
  });

  it('are refused where they were cut off, but for tables, whose end nothing tells', async () => {
    for (const file of BANK_FILES.filter((one) => one.format !== 'csv')) {
      const { format } = file;
      const cut = file.bytes.subarray(0, Math.floor((file.bytes.length * 0.7) / 2) * 2);
      const refused = await read(file, cut);
      expect(isUnreadable(refused), file.name).to.equal(true);
      if (isUnreadable(refused) && format === 'camt.053') expect(refused.detail, file.name).to.match(/cut off/);
    }
  });

  it('are read or refused whatever became of them, and nothing is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: BANK_FILES.length - 1 }),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 255 })), {
          minLength: 1,
          maxLength: 5,
        }),
        async (at, changes) => {
          const file = BANK_FILES[at] ?? expect.fail();
          const bytes = Buffer.from(file.bytes);
          for (const [place, byte] of changes) bytes[Math.floor(place * (bytes.length - 1))] = byte;
          const statements = await read(file, bytes);
          if (isUnreadable(statements)) {
            expect(statements.field).not.to.equal('');
            expect(statements.detail).not.to.equal('');
          } else for (const { amount } of statements.flatMap(({ lines }) => [...lines])) expect(amount).to.match(/^\d/);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('are read where entries have no date and the statement has one day', async () => {
    const undated = camtFile(BOOKINGS)
      .replaceAll(/<(BookgDt|ValDt)>.*?<\/\1>|<Sts>BOOK<\/Sts>/g, '')
      .replaceAll('<CdtDbtInd>CRDT</CdtDbtInd><Dt>', '<Dt>');
    const readAs = (text: string): Promise<Read> =>
      readStatementFile(Buffer.from(text), { format: 'camt.053', profile: null, account: null, currency: null });
    const several = await readAs(undated);
    expect(isUnreadable(several) && several.field).to.equal('BookgDt');
    const ofOneDay = undated.replace('<Dt>2026-02-26</Dt>', '<Dt>2026-03-03</Dt>');
    const alone = await readAs(
      camtFile(BOOKINGS)
        .replace(/<Bal>.*?<\/Bal>/, '')
        .replace('<CdtDbtInd>CRDT</CdtDbtInd><Dt>', '<Dt>'),
    );
    expect(isUnreadable(alone) && alone.field, 'one balance of no side').to.equal('CdtDbtInd');
    const read = await readAs(ofOneDay);
    if (isUnreadable(read)) expect.fail(JSON.stringify(read));
    expect(read[0]).to.include({ opening: '1000.00', closing: closingOf(BOOKINGS) });
    expect(new Set([...(read[0]?.lines ?? [])].map(({ bookedOn, valueOn }) => `${bookedOn} ${valueOn}`))).to.deep.equal(
      new Set(['2026-03-03 2026-03-03']),
    );
  });
});

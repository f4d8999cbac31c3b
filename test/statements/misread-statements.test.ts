import { expect } from 'chai';
import { openStatement } from '../../src/statements/opened-statement.ts';
import type { StatementFormat } from '../../src/statements/statement-format.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const open = (format: StatementFormat, text: string) =>
  openStatement(Buffer.from(text), { format, profile: null, account: null, currency: null });

const refusedField = async (format: StatementFormat, text: string): Promise<string> => {
  const read = await open(format, text);
  return isUnreadable(read) ? read.field : expect.fail(`it was read: ${JSON.stringify(read.lines(0, 9))}`);
};

const amountsOf = async (format: StatementFormat, text: string): Promise<readonly string[]> => {
  const read = await open(format, text);
  return isUnreadable(read) ? expect.fail(JSON.stringify(read)) : read.lines(0, 9).map(({ amount }) => amount);
};

const mt940 = (opening: number, closing: number, ...amounts: readonly string[]): string =>
  [
    ':20:X',
    ':25:ACC',
    ':28C:1/1',
    `:60F:C251231EUR${String(opening)},`,
    ...amounts.map((amount) => `:61:2512310101${amount}NTRFNONREF`),
    `:62F:C260101EUR${String(closing)},`,
    '-\n',
  ].join('\n');

const entry = (more = '', amount = '<Amt Ccy="EUR">1</Amt>'): string =>
  `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-01</Dt></BookgDt>${more}</Ntry>`;

const balance = (code: string, amount: number): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${String(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;

const camt = (...statements: readonly string[]): string =>
  `<Document><BkToCstmrStmt>${statements
    .map((inner) => `<Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>${inner}</Stmt>`)
    .join('')}</BkToCstmrStmt></Document>`;

const ofx = (entries: string): string =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>A1</BANKACCTFROM><BANKTRANLIST>${entries}</BANKTRANLIST></STMTRS></OFX>`;

const ofxEntry = (amount: string, more = ''): string =>
  `<STMTTRN><DTPOSTED>20260102<TRNAMT>${amount}<FITID>F1${more}</STMTTRN>`;

describe('statements that could be read as other bookings', () => {
  it('are refused where one of a file is there twice, or is missing between two', async () => {
    const [first, second, third] = [mt940(0, 1, 'C1,'), mt940(1, 2, 'C1,'), mt940(2, 3, 'C1,')];
    expect(await refusedField('mt940', first + second + second + third)).to.equal('statement');
    const back = mt940(1, 1, 'C2,', 'D2,');
    expect(await refusedField('mt940', first + back + back)).to.equal('statement');
    expect(await refusedField('mt940', first + third)).to.equal('balance');
    expect(await refusedField('mt940', first + mt940(0, 2, 'C1,', 'C1,'))).to.equal('balance');
    const page = (opening: number): string => balance('OPBD', opening) + balance('CLBD', opening + 1) + entry();
    expect(await refusedField('camt.053', camt(page(0), page(0)))).to.equal('statement');
    expect(await refusedField('camt.053', camt(page(0), page(5)))).to.equal('balance');
  });

  it('are read in whichever order they stand, and of several accounts', async () => {
    const pages = [mt940(0, 1, 'C1,'), mt940(1, 2, 'C1,'), mt940(2, 2), mt940(2, 2), mt940(2, 0, 'D2,')];
    expect(await amountsOf('mt940', pages.join(''))).to.have.length(3);
    expect(await amountsOf('mt940', pages.toReversed().join(''))).to.have.length(3);
    const other = mt940(0, 1, 'C1,').replace('ACC', 'OTHER');
    expect(await amountsOf('mt940', (pages[0] ?? '') + other)).to.have.length(2);
  });

  it('are refused where a figure goes on behind what is read of it', async () => {
    const open940 = (amount: string): string => mt940(0, 1, amount).replace(/:60F:.*\n/, '');
    expect(await refusedField('mt940', open940('C1.234,56'))).to.equal(':61:');
    expect(await amountsOf('mt940', open940('C1234,56'))).to.deep.equal(['1234.56']);
    expect(await refusedField('ofx', ofx(ofxEntry('1,234')))).to.equal('TRNAMT');
    expect(await refusedField('ofx', ofx(ofxEntry('1<!-- -->00')))).to.equal('comment');
    expect(await refusedField('ofx', ofx(`<!-- ${ofxEntry('1')} -->`))).to.equal('comment');
    expect(await amountsOf('ofx', ofx(ofxEntry('1,23')))).to.deep.equal(['1.23']);
    expect(await refusedField('camt.053', camt(entry('', '<Amt Ccy="EUR">1</Amt><Amt Ccy="EUR">5</Amt>')))).to.equal(
      'Amt',
    );
  });

  it('are refused where an entry is two, or changes another one: OFX', async () => {
    expect(await refusedField('ofx', ofx(ofxEntry('1', '<DTPOSTED>20260103<TRNAMT>5<FITID>F2')))).to.equal('TRNAMT');
    const change = '<CORRECTFITID>F1<CORRECTACTION>DELETE';
    expect(await refusedField('ofx', ofx(ofxEntry('1') + ofxEntry('1', change)))).to.equal('CORRECTACTION');
  });

  it('have no more balances and batches than those of banks, since entries are held against them: camt.053', async () => {
    expect(await refusedField('camt.053', camt('<Bal></Bal>'.repeat(1_001) + entry()))).to.equal('Bal');
    const batches = (many: number): string =>
      camt(entry(`<NtryDtls>${'<Btch><MsgId>M1234567</MsgId></Btch>'.repeat(many)}</NtryDtls>`));
    expect(await refusedField('camt.053', batches(101))).to.equal('Btch');
    expect(await amountsOf('camt.053', batches(100))).to.deep.equal(['1']);
  });
});

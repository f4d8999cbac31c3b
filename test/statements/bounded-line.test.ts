import { expect } from 'chai';
import { drawnLineKey } from '../../src/domain/line-key.ts';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const MIB = 1_048_576;

/** A file of one entry with so many details, each with a reference of the bank's own. */
const batch = (details: number, referenceOf: (i: number) => string): string =>
  [
    '<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>',
    '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-10</Dt></BookgDt><NtryDtls>',
    ...Array.from(
      { length: details },
      (_, i) => `<TxDtls><Refs><AcctSvcrRef>${referenceOf(i)}</AcctSvcrRef></Refs></TxDtls>`,
    ),
    '</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>',
  ].join('');

const openedOf = (file: string) =>
  openStatement(Buffer.from(file), { format: 'camt.053', profile: null, account: null, currency: null });

const linesOf = async (file: string) => {
  const opened = await openedOf(file);
  return isUnreadable(opened) ? expect.fail(opened.detail) : opened.lines(0, 10);
};

/** A batch entry of so many payments, each a line of its own, all of which have the text and the reference of the entry. */
const payments = (count: number, text: string, reference: string): string =>
  [
    '<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>',
    `<Ntry><NtryRef>${reference}</NtryRef><Amt Ccy="EUR">${count}.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>`,
    `<BookgDt><Dt>2026-03-10</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf><NtryDtls>`,
    ...Array.from(
      { length: count },
      (_, i) => `<TxDtls><Refs><EndToEndId>E${i}</EndToEndId></Refs><Amt Ccy="EUR">1.00</Amt></TxDtls>`,
    ),
    '</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>',
  ].join('');

describe('a line as it is kept', () => {
  it("has of the bank's own references some of those that it keeps, and stays an event that every store takes", async () => {
    for (const referenceOf of [(i: number) => `B${i}`, (i: number) => `B${i}-${'x'.repeat(500)}`]) {
      const lines = await linesOf(batch(2_000, referenceOf));
      expect(lines).to.have.length(1);
      for (const line of lines) {
        expect(line.references).to.include.members([...(line.ownReferences ?? [])]);
        expect(line.references.length).to.be.within(1, 1_000);
        expect(line.ownReferences?.join('').length).to.be.within(1, 8_192);
        expect(JSON.stringify({ ...line, text: '', raw: '' }).length).to.be.lessThan(MIB / 6);
      }
    }
  });

  it("notes all of the bank's own references of a usual entry", async () => {
    const [line] = await linesOf(batch(3, (i) => `B${i}`));
    expect(line?.ownReferences).to.deep.equal(['B0', 'B1', 'B2']);
  });

  it('shares no text with so many others that the log would grow by far more than the file', async () => {
    const long = 'T'.repeat(60_000);
    for (const file of [payments(1_000, long, 'R'), payments(1_000, 'T', long)]) {
      const opened = await openedOf(file);
      expect(opened).to.include({ _tag: 'StatementUnreadable', line: null, field: 'size' });
    }
    const usual = await openedOf(payments(1_000, 'T'.repeat(500), 'R'.repeat(35)));
    expect(usual).to.have.nested.property('facts.lines', 1_000);
  });

  it('is handed over with no more others than whoever takes them has time for, and none is left out', async () => {
    const opened = await openedOf(payments(40, 'T'.repeat(60_000), 'R'));
    if (isUnreadable(opened)) expect.fail(opened.detail);
    const indexes: number[] = [];
    while (indexes.length < 40) {
      const part = opened.lines(indexes.length, 100);
      expect(part.length).to.be.within(1, MIB / 60_000);
      indexes.push(...part.map(({ index }) => index));
    }
    expect(indexes).to.deep.equal(Array.from({ length: 40 }, (_, i) => i));
    expect(opened.lines(40, 100)).to.deep.equal([]);
    expect(
      opened.names(
        drawnLineKey((size) => Buffer.alloc(size, 1)),
        0,
        100,
      ),
    ).to.have.length(40);
  });
});

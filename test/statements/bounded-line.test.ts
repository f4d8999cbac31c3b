import { expect } from 'chai';
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

const linesOf = async (file: string) => {
  const reading = { format: 'camt.053', profile: null, account: null, currency: null } as const;
  const opened = await openStatement(Buffer.from(file), reading);
  return isUnreadable(opened) ? expect.fail(opened.detail) : opened.lines(0, 10);
};

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
});

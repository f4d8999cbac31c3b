import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import type { StatementFormat } from '../../src/statements/statement-format.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const referencesOf = async (format: StatementFormat, text: string) => {
  const read = await readStatementFile(Buffer.from(text), { format, profile: null, account: null, currency: null });
  if (isUnreadable(read)) return expect.fail(read.detail);
  return read.flatMap(({ lines }) =>
    [...lines].map(({ references, ownReferences }) => ({ references, ownReferences })),
  );
};

const camt = (entry: string): string =>
  [
    '<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>',
    '<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-03-10</Dt></BookgDt>',
    `${entry}</Ntry></Stmt></BkToCstmrStmt></Document>`,
  ].join('');

const mt940 = (entry: string): string =>
  [':20:X', ':25:ACC', ':60F:C260310EUR0,00', `:61:2603100310C1,00NTRF${entry}`, ':62F:C260310EUR1,00', '-', ''].join(
    '\r\n',
  );

const ofx = (entry: string): string =>
  [
    'OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>ACC</BANKACCTFROM>',
    `<BANKTRANLIST><STMTTRN><DTPOSTED>20260310<TRNAMT>1.00${entry}</STMTTRN></BANKTRANLIST>`,
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
  ].join('\n');

describe("the bank's own references", () => {
  it('of camt.053 are those of the servicer, wherever they stand, unless the payment has them too', async () => {
    const refs =
      '<NtryDtls><TxDtls><Refs><AcctSvcrRef>B2</AcctSvcrRef><EndToEndId>E1</EndToEndId></Refs></TxDtls></NtryDtls>';
    expect(await referencesOf('camt.053', camt(`<AcctSvcrRef>B1</AcctSvcrRef>${refs}`))).to.deep.equal([
      { references: ['E1', 'B2', 'B1'], ownReferences: ['B2', 'B1'] },
    ]);
    expect(await referencesOf('camt.053', camt(`<AcctSvcrRef>E1</AcctSvcrRef>${refs}`))).to.deep.equal([
      { references: ['E1', 'B2'], ownReferences: ['B2'] },
    ]);
  });

  it('of MT940 stand behind the slashes of field 61; what stands below it is free text', async () => {
    expect(await referencesOf('mt940', mt940('PAYMENT1//BANK1\r\nWORD123'))).to.deep.equal([
      { references: ['PAYMENT1', 'BANK1', 'WORD123'], ownReferences: ['BANK1'] },
    ]);
    expect(await referencesOf('mt940', mt940('PAYMENT1'))).to.deep.equal([
      { references: ['PAYMENT1'], ownReferences: undefined },
    ]);
  });

  it('of OFX are the ids that the server gives', async () => {
    expect(await referencesOf('ofx', ofx('<FITID>F1<CHECKNUM>17<SRVRTID>S1'))).to.deep.equal([
      { references: ['F1', '17', 'S1'], ownReferences: ['F1', 'S1'] },
    ]);
  });
});

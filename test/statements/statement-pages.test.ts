import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { statementFacts } from '../../src/statements/statement-facts.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

/** What a file of one account keeps of its page. */
const pageOf = async (text: string, format: 'camt.053' | 'mt940') => {
  const read = await readStatementFile(Buffer.from(text), { format, profile: null, account: null, currency: null });
  return isUnreadable(read) ? expect.fail(read.detail) : (statementFacts(read).accounts[0]?.page ?? null);
};

const mt940 = (numbers: string, first: 'F' | 'M', last: 'F' | 'M', amount = 5): string =>
  `:20:X\r\n:25:ACC\r\n:28C:${numbers}\r\n:60${first}:C260302EUR${String(amount)},\r\n:62${last}:C260302EUR${String(amount)},\r\n-\r\n`;

const balance = (code: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>`;

const camt = (numbers: string, first = 'ITBD'): string =>
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>' +
  `<Stmt><Id>S</Id>${numbers}<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>` +
  `${balance(first)}${balance('CLBD')}</Stmt></BkToCstmrStmt></Document>`;

const LAST = { isFollowing: true, isFollowed: false };
const second = (statement: string) => ({ ...LAST, numbered: { statement, page: 2 } });

describe('a page of a statement', () => {
  it('of MT940 says whether others are before and behind it, and its numbers in field 28C', async () => {
    expect(await pageOf(mt940('69/2', 'M', 'F'), 'mt940')).to.deep.equal(second('69'));
    expect(await pageOf(mt940('69/1', 'F', 'M'), 'mt940')).to.deep.equal({
      isFollowing: false,
      isFollowed: true,
      numbered: { statement: '69', page: 1 },
    });
    for (const numbers of ['69', '69/A', '69/2/3', ''])
      expect(await pageOf(mt940(numbers, 'M', 'F'), 'mt940')).to.deep.equal({ ...LAST, numbered: null });
  });

  it('of camt.053 does so by its balances and by PgNb, beside the number of the statement', async () => {
    const pagination = '<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>';
    expect(await pageOf(camt(`${pagination}<ElctrncSeqNb>7</ElctrncSeqNb>`), 'camt.053')).to.deep.equal(second('7'));
    expect(
      await pageOf(camt(`${pagination}<ElctrncSeqNb>7</ElctrncSeqNb><LglSeqNb>69</LglSeqNb>`), 'camt.053'),
    ).to.deep.equal(second('69'));
    const unclear = [
      '',
      pagination,
      '<ElctrncSeqNb>7</ElctrncSeqNb>',
      `${pagination}${pagination.replace('2', '3')}<ElctrncSeqNb>7</ElctrncSeqNb>`,
      `${pagination}<ElctrncSeqNb>7</ElctrncSeqNb><ElctrncSeqNb>8</ElctrncSeqNb>`,
      `${pagination.replace('2', 'two')}<ElctrncSeqNb>7</ElctrncSeqNb>`,
    ];
    for (const numbers of unclear)
      expect(await pageOf(camt(numbers), 'camt.053'), numbers).to.deep.equal({ ...LAST, numbered: null });
  });

  it('is none where the statement is whole, or the file has several', async () => {
    expect(await pageOf(mt940('69/1', 'F', 'F'), 'mt940')).to.equal(null);
    expect(await pageOf(camt('', 'OPBD'), 'camt.053')).to.equal(null);
    expect(await pageOf(mt940('69/1', 'F', 'M') + mt940('69/2', 'M', 'F'), 'mt940')).to.equal(null);
  });
});

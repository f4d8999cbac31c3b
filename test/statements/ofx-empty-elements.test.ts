import { expect } from 'chai';
import * as fc from 'fast-check';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';
import { runs } from '../support/runs.ts';

const READING = { format: 'ofx', profile: null, account: null, currency: null } as const;

const FOREIGN = '<CURRENCY><CURRATE>83.1<CURSYM>USD</CURRENCY>';

/** A statement of OFX 1 as its tags, each with the text behind it. */
const tagsOf = (account: string, amounts: readonly string[]): readonly string[] =>
  (
    `<STMTTRNRS><TRNUID>1<STMTRS><CURDEF>INR<BANKACCTFROM><BANKID>1<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>` +
    '<BANKTRANLIST><DTSTART>20260301<DTEND>20260331' +
    amounts
      .map(
        (amount, at) =>
          `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>2026030${at + 1}<TRNAMT>${amount}<FITID>F${at}<NAME>PAYEE ${at}<MEMO>M${at % 2 === 1 ? FOREIGN : ''}</STMTTRN>`,
      )
      .join('') +
    '</BANKTRANLIST><LEDGERBAL><BALAMT>90.00<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS>'
  ).match(/<[^<]*/g) ?? [];

/** What is read of such a file: of each statement what is booked, and the balance; or the field for which it is refused. */
const read = async (tags: readonly string[]) => {
  const file = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1>${tags.join('\n')}</BANKMSGSRSV1></OFX>`;
  const found = await readStatementFile(Buffer.from(file), READING);
  if (isUnreadable(found)) return found.field;
  return found.map(({ account, closing, lines }) => ({
    account,
    closing,
    lines: [...lines].map(({ amount, direction, currency, bookedOn, references, text }) => ({
      amount,
      direction,
      currency,
      bookedOn,
      references,
      text,
    })),
  }));
};

const TAGS = [...tagsOf('C1', ['-10.00', '20.00']), ...tagsOf('C2', ['-5023.50', '-77.00', '3'])];

/** Names of elements that hold a text: those that a bank leaves empty, and one of its own. */
const emptied = fc.constantFrom('DTUSER', 'SIC', 'PAYEEID', 'MEMO2', 'CHECKNUM', 'MKTGINFO', 'X.OWN');
const empty = fc.record({
  at: fc.nat(TAGS.length),
  tag: fc.tuple(emptied, fc.constantFrom('<NAME>', '<NAME/>', '<NAME></NAME>')),
});

describe('empty elements of OFX 1', () => {
  it('hide no booking, account, currency or balance, wherever they stand, with an end and without', async () => {
    const whole = await read(TAGS);
    expect(whole).to.have.length(2);
    await fc.assert(
      fc.asyncProperty(fc.array(empty, { minLength: 1, maxLength: 6 }), async (empties) => {
        const tags = TAGS.flatMap((tag, place) => [
          ...empties.filter(({ at }) => at === place).map(({ tag: [name, form] }) => form.replaceAll('NAME', name)),
          tag,
        ]);
        expect(await read(tags), tags.join('')).to.deep.equal(whole);
      }),
      { numRuns: runs(150) },
    );
  });

  it('are read where their text is gone, as far as nothing of it is needed', async () => {
    const without = (name: string): readonly string[] =>
      TAGS.map((tag) => (tag.startsWith(`<${name}>`) ? `<${name}>` : tag));
    for (const name of ['DTSTART', 'DTEND', 'BANKID', 'ACCTTYPE', 'TRNTYPE', 'NAME', 'MEMO', 'DTASOF'])
      expect(await read(without(name)), name).to.have.length(2);
    for (const name of ['ACCTID', 'CURDEF', 'TRNAMT', 'DTPOSTED'])
      expect(await read(without(name)), name).to.equal(name);
  });

  it('are told from elements whose end is gone, with which the file is refused', async () => {
    for (const name of ['STMTRS', 'BANKACCTFROM', 'STMTTRN', 'LEDGERBAL', 'CURRENCY']) {
      for (const [at, tag] of TAGS.entries())
        if (tag === `</${name}>`) expect(await read(TAGS.toSpliced(at, 1)), `${name} ${at}`).to.equal(name);
    }
    for (const begun of ['<LEDGERBAL>', '<STMTTRNP>', '<STMTTRN>', '<BANKACCTFROM>'])
      expect(await read(TAGS.toSpliced(9, 0, begun)), begun).to.equal(begun.slice(1, -1));
  });
});

describe('a text where an element of OFX holds others', () => {
  it('has the file refused: what stands behind it would be of another statement, entry or currency', async () => {
    for (const name of ['STMTRS', 'BANKACCTFROM', 'STMTTRN', 'LEDGERBAL', 'CURRENCY']) {
      const at = TAGS.indexOf(`<${name}>`);
      expect(at, name).to.be.at.least(0);
      expect(await read(TAGS.with(at, `<${name}>USD`)), name).to.equal(name);
    }
  });
});

describe('an element of a statement with another one in it', () => {
  it('has the file refused in XML too, which says as well that it has no end', async () => {
    const xml = (inner: string) =>
      Buffer.from(
        `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><STMTRS><CURDEF>INR</CURDEF><BANKACCTFROM><ACCTID>A</ACCTID></BANKACCTFROM>${inner}</STMTRS></OFX>`,
      );
    const entry = '<STMTTRN><DTPOSTED>20260302</DTPOSTED><TRNAMT>-1</TRNAMT></STMTTRN>';
    const fieldOf = async (inner: string): Promise<string> => {
      const found = await readStatementFile(xml(inner), READING);
      return isUnreadable(found) ? found.field : `${found.map(({ lines }) => lines.length).join()} lines`;
    };
    expect(await fieldOf(`<BANKTRANLIST><DTEND>20260331</DTEND>${entry}</BANKTRANLIST>`)).to.equal('1 lines');
    expect(await fieldOf(`<BANKTRANLIST><DTEND>20260331${entry}</DTEND></BANKTRANLIST>`)).to.equal('DTEND');
    expect(await fieldOf(entry.replace('</TRNAMT>', '</TRNAMT><CURRENCY>USD</CURRENCY>'))).to.equal('CURRENCY');
    expect(await fieldOf(`<LEDGERBAL><BALAMT>1</BALAMT>${entry}</LEDGERBAL>`)).to.equal('LEDGERBAL');
  });
});

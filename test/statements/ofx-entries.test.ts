import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'ofx', profile: null, account: null, currency: null } as const;

/** An entry; `inner` may say its day otherwise. */
const entry = (amount: string, inner = '<DTPOSTED>20260302'): string =>
  `<STMTTRN>${inner}<TRNAMT>${amount}</STMTTRN>\n`;

/** The statements of a file with such entries, or the field for which it is refused. */
const read = async (entries: string, { currency = 'EUR', behind = '', list = '' } = {}) => {
  const file =
    `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>A1</BANKACCTFROM>` +
    `<BANKTRANLIST>${list}${entries}</BANKTRANLIST>${behind}</STMTRS></OFX>`;
  const statements = await readStatementFile(Buffer.from(file), READING);
  return isUnreadable(statements) ? statements.field : statements;
};

const statementOf = async (...given: Parameters<typeof read>) => {
  const found = await read(...given);
  return typeof found === 'string' ? expect.fail(found) : (found[0] ?? expect.fail('there is no statement'));
};

const linesOf = async (...given: Parameters<typeof read>) => [...(await statementOf(...given)).lines];

describe('entries of OFX', () => {
  it('came in or went out by the sign of their amount, as it is written', async () => {
    const amounts = {
      '12.50': '12.50 in',
      '-12.50': '12.50 out',
      '+7': '7 in',
      '-1,50': '1.50 out',
      '1 234.56': '1234.56 in',
      '- 1 234 567.8': '1234567.8 out',
      '1234.567': '1234.567 in',
      '-.5': '0.5 out',
    };
    for (const [text, expected] of Object.entries(amounts))
      expect(
        (await linesOf(entry(text))).map((line) => `${line.amount} ${line.direction}`),
        text,
      ).to.deep.equal([expected]);
  });

  it('refuse the file where the amount is none, or may be two', async () => {
    for (const text of ['', 'x', '1 2', '12 34.5', '1,234', '1,234.56', '1.2.3', '1e3', '--1', '1-'])
      expect(await read(entry('1.00') + entry(text)), text).to.equal('TRNAMT');
    expect((await linesOf(entry('1,234'), { currency: 'KWD' })).map(({ amount }) => amount)).to.deep.equal(['1.234']);
  });

  it('are in the currency that they name, else in that of the account', async () => {
    const foreign = (symbol: string): string => `<DTPOSTED>20260302<CURRENCY><CURRATE>1.1<CURSYM>${symbol}</CURRENCY>`;
    const found = await linesOf(entry('5', foreign('USD')) + entry('6'));
    expect(found.map(({ amount, currency }) => `${amount} ${currency}`)).to.deep.equal(['5 USD', '6 EUR']);
    expect(await read(entry('5', foreign('XYZ')))).to.equal('CURSYM');
    // Converted by the bank: the amount is the account's.
    const original = foreign('USD').replaceAll('CURRENCY', 'ORIGCURRENCY');
    expect((await linesOf(entry('5', original))).map(({ currency }) => currency)).to.deep.equal(['EUR']);
    // Three decimals by the currency of the entry, not by that of the account.
    expect((await linesOf(entry('1,234', foreign('KWD')))).map(({ amount }) => amount)).to.deep.equal(['1.234']);
    expect(await read(entry('1,234', foreign('EUR')), { currency: 'KWD' })).to.equal('TRNAMT');
  });

  it('are booked on the day that is written, whatever time and zone stand behind it', async () => {
    const days = async (inner: string) =>
      (await linesOf(entry('1', inner))).map(({ bookedOn, valueOn }) => `${bookedOn} ${valueOn}`);
    expect(await days('<DTPOSTED>20260302235959.000[-11:SST]')).to.deep.equal(['2026-03-02 2026-03-02']);
    expect(await days('<DTPOSTED>2026-03-02<DTAVAIL>20260304')).to.deep.equal(['2026-03-02 2026-03-04']);
    for (const wrong of ['<DTPOSTED>20260230', '<DTPOSTED>x', '<DTAVAIL>20260302'])
      expect(await read(entry('1', wrong)), wrong).to.equal('DTPOSTED');
  });

  it('are none that are expected only, and have an end', async () => {
    const pending = '<STMTTRNP><DTTRAN>20260302<TRNAMT>9</STMTTRNP>';
    const statement = await statementOf(entry('1') + pending);
    expect([statement.lines.length, statement.pending]).to.deep.equal([1, 1]);
    expect(await read(entry('1').replace('</STMTTRN>', '') + entry('2'))).to.equal('STMTTRN');
    for (const twice of ['DTPOSTED>20260303', 'FITID>F2<FITID>F3'])
      expect(await read(entry('1', `<DTPOSTED>20260302<${twice}`)), twice).to.equal(twice.split('>')[0]);
  });

  it('have the references and texts of both sides, and keep what they came as', async () => {
    const one = entry(
      '1',
      '<DTPOSTED>20260302<FITID>F1<REFNUM>R12345<CHECKNUM>C1<SRVRTID>S1<NAME>PAYEE<EXTDNAME>LONG PAYEE<MEMO>FOR<MEMO2>WHAT',
    );
    const [line, other] = await linesOf(one + entry('2'));
    expect(line?.references).to.deep.equal(['F1', 'R12345', 'C1', 'S1']);
    expect(line?.ownReferences).to.deep.equal(['F1', 'S1']);
    expect(line?.text).to.equal('PAYEE LONG PAYEE FOR WHAT');
    expect([line?.raw, other?.raw]).to.deep.equal([one.trim(), entry('2').trim()]);
  });
});

describe('statements of OFX', () => {
  const balance = (amount: string): string => `<LEDGERBAL><BALAMT>${amount}<DTASOF>20260303</LEDGERBAL>`;

  it('have their days and the closing balance, negative where the account was overdrawn', async () => {
    const list = '<DTSTART>20260301<DTEND>20260303120000[+5.5:IST]';
    const { from, to, opening, closing } = await statementOf(entry('1'), { list, behind: balance('-20.50') });
    expect([from, to, opening, closing]).to.deep.equal(['2026-03-01', '2026-03-03', null, '-20.50']);
    expect((await statementOf(entry('1'))).closing).to.equal(null);
  });

  it('are refused where the balance, the account or the currency can not be read', async () => {
    for (const wrong of ['x', '1 2', '1,234'])
      expect(await read(entry('1'), { behind: balance(wrong) }), wrong).to.equal('BALAMT');
    expect(await read(entry('1'), { currency: 'XYZ' })).to.equal('CURDEF');
    const file = 'OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST></BANKTRANLIST></STMTRS></OFX>';
    const nobodys = await readStatementFile(Buffer.from(file), READING);
    expect(isUnreadable(nobodys) && nobodys.field).to.equal('ACCTID');
  });
});

import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'camt.053', profile: null, account: null, currency: null } as const;

type Side = 'CRDT' | 'DBIT';

const amount = (text: string, currency = 'EUR'): string => `<Amt Ccy="${currency}">${text}</Amt>`;

/** An entry of 100 EUR that went out on 2 March, unless it is said otherwise. */
const entry = (inner = '', { of = amount('100.00'), side = 'DBIT', status = 'BOOK' } = {}): string =>
  `<Ntry>${of}<CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>${inner}</Ntry>`;

/** The payments of an entry. */
const details = (...payments: readonly string[]): string =>
  `<NtryDtls>${payments.map((payment) => `<TxDtls>${payment}</TxDtls>`).join('')}</NtryDtls>`;

/** The lines of a statement without balances, or the field for which it is refused. */
const read = async (...entries: readonly string[]) => {
  const file =
    '<Document><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>' +
    `${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
  const statements = await readStatementFile(Buffer.from(file), READING);
  return isUnreadable(statements) ? statements.field : statements.flatMap(({ lines }) => [...lines]);
};

const lines = async (...entries: readonly string[]) => {
  const found = await read(...entries);
  return typeof found === 'string' ? expect.fail(found) : found;
};

/** Amounts and directions of the lines of an entry. */
const figures = async (one: string): Promise<readonly string[]> =>
  (await lines(one)).map((line) => `${line.amount} ${line.direction}`);

const side = (of: Side): string => `<CdtDbtInd>${of}</CdtDbtInd>`;

describe('entries of camt.053', () => {
  it('came in or went out as they say, and take another back where they say that too', async () => {
    const found = await lines(
      entry(),
      entry('', { side: 'CRDT' }),
      entry('<RvslInd>true</RvslInd>'),
      entry('<RvslInd>1</RvslInd>', { side: 'CRDT' }),
      entry('<RvslInd>false</RvslInd>'),
    );
    expect(found.map(({ direction, reversal }) => `${direction}${reversal ? ' again' : ''}`)).to.deep.equal([
      'out',
      'in',
      'out again',
      'in again',
      'out',
    ]);
  });

  it('are booked, by the code of any version, or none', async () => {
    const coded = (status: string): string => entry('', { status });
    expect(
      await lines(
        coded('BOOK'),
        coded('<Cd>BOOK</Cd>'),
        coded('<Prtry>book</Prtry>'),
        entry().replace(/<Sts>.*<\/Sts>/, ''),
      ),
    ).to.have.length(4);
    for (const status of ['PDNG', 'INFO', '<Cd>PDNG</Cd>', '<Prtry>FUTR</Prtry>'])
      expect(await lines(coded(status)), status).to.have.length(0);
  });

  it('have a booking day and a value day, each the other where one is missing', async () => {
    const dated = async (booking: string, value: string) =>
      (await lines(entry().replace(/<BookgDt>.*<\/BookgDt>/, booking + value))).map(
        (line) => `${line.bookedOn} ${line.valueOn}`,
      );
    const booking = '<BookgDt><Dt>2026-03-02</Dt></BookgDt>';
    expect(await dated(booking, '<ValDt><DtTm>2026-03-04T23:59:59+05:30</DtTm></ValDt>')).to.deep.equal([
      '2026-03-02 2026-03-04',
    ]);
    expect(await dated(booking, '')).to.deep.equal(['2026-03-02 2026-03-02']);
    expect(await dated('', '<ValDt><Dt>2026-03-04</Dt></ValDt>')).to.deep.equal(['2026-03-04 2026-03-04']);
  });

  it('refuse the file where one can not be read', async () => {
    for (const [wrong, field] of [
      [entry('', { of: '' }), 'Amt'],
      [entry('', { of: amount('1,00') }), 'Amt'],
      [entry('', { of: amount('-1.00') }), 'Amt'],
      [entry('', { of: amount('1.00', 'USD') }), 'Amt'],
      [entry('', { side: 'DEBIT' }), 'CdtDbtInd'],
      [entry().replace(/<CdtDbtInd>.*?<\/CdtDbtInd>/, ''), 'CdtDbtInd'],
      [entry().replace('03-02', '02-30'), 'BookgDt'],
      [entry('<ValDt><Dt>nonsense</Dt></ValDt>'), 'ValDt'],
      [entry().replace(/<BookgDt>.*<\/BookgDt>/, ''), 'BookgDt'],
    ] as const)
      expect(await read(entry(), wrong), wrong).to.equal(field);
  });

  it('refuse the file where something stands twice that decides what they are', async () => {
    const [day, other] = ['<Dt>2026-03-02</Dt>', '<DtTm>2026-03-03T00:00:00</DtTm>'];
    for (const [wrong, field] of [
      [entry(side('CRDT')), 'CdtDbtInd'],
      [entry(side('DBIT')), 'CdtDbtInd'],
      [entry(amount('100.00')), 'Amt'],
      [entry('<Sts>PDNG</Sts>'), 'Sts'],
      [entry('<Sts>BOOK</Sts>', { status: 'PDNG' }), 'Sts'],
      [entry('', { status: '<Cd>BOOK</Cd><Cd>PDNG</Cd>' }), 'Cd'],
      [entry('', { status: '<Cd>BOOK</Cd><Prtry>PDNG</Prtry>' }), 'Sts'],
      [entry('', { status: 'PDNG<Cd>BOOK</Cd>' }), 'Sts'],
      [entry('<RvslInd>true</RvslInd><RvslInd>false</RvslInd>'), 'RvslInd'],
      [entry(`<BookgDt>${day}</BookgDt>`), 'BookgDt'],
      [entry(`<ValDt>${day}</ValDt><ValDt>${other}</ValDt>`), 'ValDt'],
      [entry(`<ValDt>${day}${day}</ValDt>`), 'Dt'],
      [entry(`<ValDt>${day}${other}</ValDt>`), 'ValDt'],
      [entry(details(amount('30') + amount('31'), amount('70'))), 'Amt'],
      [entry(details(amount('30') + side('DBIT') + side('CRDT'), amount('70'))), 'CdtDbtInd'],
      [entry(details(`<AmtDtls><TxAmt>${amount('30')}</TxAmt><TxAmt>${amount('31')}</TxAmt></AmtDtls>`)), 'TxAmt'],
    ] as const)
      expect(await read(entry(), wrong), wrong).to.equal(field);
    // What both say is one thing, or decides nothing.
    const twice = `<ValDt><DtTm>2026-03-02T10:00:00</DtTm>${day}</ValDt><NtryDtls/><NtryDtls/><AddtlNtryInf>A</AddtlNtryInf>`;
    expect(await lines(entry(twice), entry('', { status: '<Cd>BOOK</Cd><Prtry>book</Prtry>' }))).to.have.length(2);
  });

  it('are one line for each payment of a batch, wherever its amount stands, where they come to the entry', async () => {
    const places: readonly ((text: string) => string)[] = [
      (text) => amount(text),
      (text) => `<AmtDtls><TxAmt>${amount(text)}</TxAmt></AmtDtls>`,
      (text) => `<AmtDtls><PrtryAmt>${amount(text)}</PrtryAmt></AmtDtls>`,
      (text) => `<AmtDtls><InstdAmt>${amount(text)}</InstdAmt></AmtDtls>`,
    ];
    for (const place of places) {
      expect(await figures(entry(details(place('30.00'), place('70'))))).to.deep.equal(['30.00 out', '70 out']);
      expect(await figures(entry(details(place('30.00'), place('69.99'))))).to.deep.equal(['100.00 out']);
    }
    // The instructed amount, and what came of it: the entry tells which one is the account's.
    const both = (instructed: string, own: string): string =>
      `<AmtDtls><InstdAmt>${amount(instructed)}</InstdAmt><TxAmt>${amount(own)}</TxAmt></AmtDtls>`;
    expect(await figures(entry(details(both('40', '30'), both('80', '70'))))).to.deep.equal(['30 out', '70 out']);
    expect(await figures(entry(details(both('30', '40'), both('70', '80'))))).to.deep.equal(['30 out', '70 out']);
  });

  it('stay one line where payments have no amount, one of another currency, or one that can not be read', async () => {
    for (const payments of [
      ['<Refs/>', '<Refs/>'],
      [amount('100'), '<Refs/>'],
      [amount('30', 'USD'), amount('70')],
      [amount('30'), amount('7 0')],
      [amount('30'), `${amount('70')}${side('CRDT').replace('CRDT', 'CREDIT')}`],
      [amount('100')],
    ])
      expect(await figures(entry(details(...payments))), payments.join()).to.deep.equal(['100.00 out']);
  });

  it('are payments of both directions where these come to the entry, and of its own where all say the other', async () => {
    const out = (text: string): string => amount(text) + side('DBIT');
    const back = (text: string): string => amount(text) + side('CRDT');
    expect(await figures(entry(details(out('130'), back('30'))))).to.deep.equal(['130 out', '30 in']);
    expect(await figures(entry(details(amount('130'), back('30'))))).to.deep.equal(['130 out', '30 in']);
    expect(await figures(entry(details(back('30'), back('70'))))).to.deep.equal(['30 out', '70 out']);
    expect(await figures(entry(details(out('30'), back('70.01'))))).to.deep.equal(['100.00 out']);
    // Without regard to directions these come to 100, but they did not take 100 out of the account.
    for (const mixed of [details(out('30'), back('70')), details(amount('30'), back('70'))])
      expect(await figures(entry(mixed)), mixed).to.deep.equal(['100.00 out']);
  });

  it('are named by whatever a bank calls a reference, with those of the batch on each payment', async () => {
    const names =
      'EndToEndId InstrId TxId UETR AcctSvcrRef ClrSysRef PmtInfId MsgId MndtId ChqNb AcctOwnrTxId AcctSvcrTxId MktInfrstrctrTxId PrcgId'.split(
        ' ',
      );
    const refs = names.map((name) => `<${name}>REF-${name}</${name}>`).join('');
    const structured =
      '<Strd><RfrdDocInf><Nb>REF-Nb</Nb></RfrdDocInf><CdtrRefInf><Ref>REF-Ref</Ref><CdtrRef>REF-CdtrRef</CdtrRef></CdtrRefInf></Strd>';
    const [line] = await lines(
      entry(details(`<Refs>${refs}<Prtry><Ref>REF-Prtry</Ref></Prtry></Refs><RmtInf>${structured}</RmtInf>`)),
    );
    expect(line?.references).to.have.members([
      ...names.map((name) => `REF-${name}`),
      'REF-Prtry',
      'REF-Nb',
      'REF-Ref',
      'REF-CdtrRef',
    ]);
    expect(line?.ownReferences).to.have.members(['REF-AcctSvcrRef', 'REF-AcctSvcrTxId', 'REF-PrcgId']);
    const payment = (text: string): string => `<Refs><EndToEndId>E2E-${text}</EndToEndId></Refs>${amount(text)}`;
    const batch = '<NtryDtls><Btch><PmtInfId>BATCH-1</PmtInfId><MsgId>MSG-1</MsgId></Btch>';
    const found = await lines(entry(details(payment('30'), payment('70')).replace('<NtryDtls>', batch)));
    expect(found.map(({ references }) => references.toSorted())).to.deep.equal([
      ['BATCH-1', 'E2E-30', 'MSG-1'],
      ['BATCH-1', 'E2E-70', 'MSG-1'],
    ]);
  });

  it('are named by the bank, but not by a number of the entry within its statement', async () => {
    const named = async (reference: string) =>
      (await lines(entry(`<NtryRef>${reference}</NtryRef><AcctSvcrRef>SERVICER-1</AcctSvcrRef>`)))[0]?.references;
    expect(await named('ENTRY-7')).to.have.members(['ENTRY-7', 'SERVICER-1']);
    expect(await named('000012')).to.have.members(['SERVICER-1']);
    expect(await named('1234567')).to.have.members(['1234567', 'SERVICER-1']);
  });

  it('keep what they came as, and each payment of a batch its own part', async () => {
    const [first, second] = [entry('<NtryRef>ONE</NtryRef>'), entry('<NtryRef>TWO</NtryRef>')];
    expect((await lines(first, second)).map(({ raw }) => raw)).to.deep.equal([first, second]);
    const payments = [amount('30'), amount('70')];
    expect((await lines(entry(details(...payments)))).map(({ raw }) => raw)).to.deep.equal(
      payments.map((payment) => `<TxDtls>${payment}</TxDtls>`),
    );
  });

  it('have the texts and the names of both sides, and what the bank adds', async () => {
    const [line] = await lines(
      entry(
        details(
          '<RltdPties><Dbtr><Nm>OLD PAYER</Nm><Pty><Nm>PAYER</Nm></Pty></Dbtr><Cdtr><Nm>OLD PAYEE</Nm><Pty><Nm>PAYEE</Nm></Pty></Cdtr></RltdPties>' +
            '<RmtInf><Ustrd>FIRST</Ustrd><Ustrd>SECOND</Ustrd><Strd><AddtlRmtInf>THIRD</AddtlRmtInf></Strd></RmtInf><AddtlTxInf>FOURTH</AddtlTxInf>',
        ) + '<AddtlNtryInf>FIFTH</AddtlNtryInf>',
      ),
    );
    expect(line?.text).to.equal('FIRST SECOND THIRD FOURTH OLD PAYER PAYER OLD PAYEE PAYEE FIFTH');
  });
});

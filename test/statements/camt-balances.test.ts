import { expect } from 'chai';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';

const READING = { format: 'camt.053', profile: null, account: null, currency: null } as const;

/** A balance: its code, its amount, negative where the account was overdrawn, and its day. */
type Told = readonly [code: string, amount: string, day?: string];

const balance = ([code, amount, day]: Told): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount.replace('-', '')}</Amt>` +
  `<CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>${day === undefined ? '' : `<Dt><Dt>${day}</Dt></Dt>`}</Bal>`;

/** A statement over which 100 EUR came in, with these balances. */
const statement = (balances: string): Buffer =>
  Buffer.from(
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr><Stmt><Id>S</Id>' +
      `<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>${balances}` +
      '<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>' +
      '<BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>2026-03-02</Dt></ValDt></Ntry></Stmt></BkToCstmrStmt></Document>',
  );

/** The balances as they are read, or the field for which the file is refused. */
const read = async (balances: string): Promise<readonly (string | null)[] | string> => {
  const statements = await readStatementFile(statement(balances), READING);
  if (isUnreadable(statements)) return statements.field;
  return statements.flatMap(({ opening, closing }) => [opening, closing]);
};

const told = (...balances: readonly Told[]): Promise<readonly (string | null)[] | string> =>
  read(balances.map(balance).join(''));

const [EARLY, DAY, LATE] = ['2026-03-01', '2026-03-02', '2026-03-03'];

describe('balances of camt.053', () => {
  it('are negative where the account was overdrawn, on either side', async () => {
    expect(await told(['OPBD', '-150.00'], ['CLBD', '-50.00'])).to.deep.equal(['-150.00', '-50.00']);
    expect(await told(['OPBD', '-40.00'], ['CLBD', '60.00'])).to.deep.equal(['-40.00', '60.00']);
    for (const wrong of [
      [
        ['OPBD', '150.00'],
        ['CLBD', '50.00'],
      ],
      [
        ['OPBD', '40.00'],
        ['CLBD', '60.00'],
      ],
    ] as const)
      expect(await told(...wrong)).to.equal('CLBD');
  });

  it('are those of a page where a statement has several', async () => {
    expect(await told(['OPBD', '0.00', DAY], ['ITBD', '100.00', DAY])).to.deep.equal(['0.00', '100.00']);
    expect(await told(['ITBD', '5.00', DAY], ['CLBD', '105.00', DAY])).to.deep.equal(['5.00', '105.00']);
    expect(await told(['ITBD', '5.00', DAY], ['ITBD', '105.00', DAY])).to.deep.equal(['5.00', '105.00']);
    expect(await told(['ITBD', '105.00', LATE], ['ITBD', '5.00', EARLY])).to.deep.equal(['5.00', '105.00']);
    expect(await told(['ITBD', '5.00', DAY], ['ITBD', '104.00', DAY])).to.equal('CLBD');
    expect(await told(['ITBD', '5.00', DAY])).to.deep.equal(['5.00', null]);
  });

  it('are the first before and the last behind all entries where a code comes for each day', async () => {
    const of = (first: string, second: string): readonly Told[] => [
      ['OPBD', first === EARLY ? '0.00' : '70.00', first],
      ['OPBD', second === EARLY ? '0.00' : '70.00', second],
      ['CLBD', first === EARLY ? '70.00' : '100.00', first],
      ['CLBD', second === EARLY ? '70.00' : '100.00', second],
    ];
    expect(await told(...of(EARLY, LATE))).to.deep.equal(['0.00', '100.00']);
    expect(await told(...of(LATE, EARLY))).to.deep.equal(['0.00', '100.00']);
    // Without days, in the order of the file.
    expect(await told(['OPBD', '0.00'], ['OPBD', '70.00'], ['CLBD', '70.00'], ['CLBD', '100.00'])).to.deep.equal([
      '0.00',
      '100.00',
    ]);
    expect(
      await told(['OPBD', '0.00'], ['OPBD', '70.00', EARLY], ['CLBD', '70.00', LATE], ['CLBD', '100.00']),
    ).to.deep.equal(['0.00', '100.00']);
  });

  it('are the previous closing where there is no opening, and the opening where there are both', async () => {
    expect(await told(['PRCD', '1.00'], ['CLBD', '101.00'])).to.deep.equal(['1.00', '101.00']);
    expect(await told(['PRCD', '9.00'], ['OPBD', '1.00'], ['CLBD', '101.00'])).to.deep.equal(['1.00', '101.00']);
  });

  it('are no others: what is available or expected, or of a code of the bank', async () => {
    expect(
      await told(['OPBD', '1.00'], ['CLAV', '7.00'], ['FWAV', '8.00'], ['CLBD', '101.00'], ['INFO', '9.00']),
    ).to.deep.equal(['1.00', '101.00']);
    const ofTheBank = balance(['CLBD', '7.00']).replace('<Cd>CLBD</Cd>', '<Prtry>CLBD</Prtry>');
    expect(await read(`${balance(['OPBD', '1.00'])}${ofTheBank}`)).to.deep.equal(['1.00', null]);
  });

  it('refuse the file where one of them can not be read', async () => {
    const [opening, closing] = [balance(['OPBD', '1.00', DAY]), balance(['CLBD', '101.00', DAY])];
    const cases: readonly (readonly [change: (text: string) => string, field: string])[] = [
      [(text) => text.replace('Ccy="EUR"', 'Ccy="USD"'), 'Bal'],
      [(text) => text.replace(/<Amt.*<\/Amt>/, ''), 'Bal'],
      [(text) => text.replace('.00<', ',00<'), 'Amt'],
      [(text) => text.replace(/">\d+\.00</, '">-1.00<'), 'Amt'],
      [(text) => text.replace('CRDT', 'CREDIT'), 'CdtDbtInd'],
      [(text) => text.replace(DAY, '2026-02-30'), 'Dt'],
    ];
    for (const [change, field] of cases) {
      expect(await read(change(opening) + closing), `${field} of the opening`).to.equal(field);
      expect(await read(opening + change(closing)), `${field} of the closing`).to.equal(field);
    }
  });

  it('refuse the file where something stands twice in one, in the account or in the days', async () => {
    const [opening, closing] = [balance(['OPBD', '1.00', DAY]), balance(['CLBD', '101.00', DAY])];
    const cases: readonly (readonly [tag: string, field: string])[] = [
      [`<Tp><CdOrPrtry><Cd>ITBD</Cd></CdOrPrtry></Tp>`, 'Tp'],
      [`<Amt Ccy="EUR">1.00</Amt>`, 'Amt'],
      [`<CdtDbtInd>DBIT</CdtDbtInd>`, 'CdtDbtInd'],
      [`<Dt><Dt>${LATE}</Dt></Dt>`, 'Dt'],
    ];
    for (const [tag, field] of cases) {
      expect(await read(opening + closing.replace('</Bal>', `${tag}</Bal>`)), field).to.equal(field);
      expect(await read(opening.replace('<Bal>', `<Bal>${tag}`) + closing), field).to.equal(field);
    }
    expect(await read(opening + closing.replace('<Cd>', '<Cd>OPBD</Cd><Cd>'))).to.equal('Cd');
    expect(await read(`<Acct><Id><IBAN>DE1</IBAN></Id></Acct>${opening}${closing}`)).to.equal('Acct');
    const days = `<FrToDt><FrDtTm>${EARLY}T00:00:00</FrDtTm><ToDtTm>${LATE}T00:00:00</ToDtTm></FrToDt>`;
    expect(await read(days + opening + closing)).to.deep.equal(['1.00', '101.00']);
    expect(await read(days + days + opening + closing)).to.equal('FrToDt');
    const from = `<FrDtTm>${DAY}T00:00:00</FrDtTm>`;
    expect(await read(days.replace('<ToDtTm>', `${from}<ToDtTm>`) + opening + closing)).to.equal('FrDtTm');
    for (const [tag, field] of [
      ['<Ccy>INR</Ccy>', 'Ccy'],
      ['<Id><IBAN>DE1</IBAN></Id>', 'Id'],
    ] as const) {
      const twice = statement(opening + closing)
        .toString()
        .replace('</Acct>', `${tag}</Acct>`);
      const read = await readStatementFile(Buffer.from(twice), READING);
      expect(isUnreadable(read) && read.field, tag).to.equal(field);
    }
  });

  it('may leave out the side of a credit that the entries prove, and of no other', async () => {
    const sideless = (one: Told): string => balance(one).replace(/<CdtDbtInd>.*<\/CdtDbtInd>/, '');
    const opening: Told = ['OPBD', '1.00'];
    expect(await read(sideless(opening) + balance(['CLBD', '101.00']))).to.deep.equal(['1.00', '101.00']);
    expect(await read(sideless(opening) + balance(['CLBD', '99.00']))).to.equal('CLBD');
    expect(await read(sideless(opening))).to.equal('CdtDbtInd');
    expect(await read(sideless(['CLBD', '101.00']))).to.equal('CdtDbtInd');
  });

  it('date entries that have no date, where opening and closing are of one day', async () => {
    const dated = async (...balances: readonly Told[]): Promise<unknown> => {
      const file = statement(balances.map(balance).join('')).toString();
      const undated = file.replace(/<BookgDt>.*<\/ValDt>/, '');
      const statements = await readStatementFile(Buffer.from(undated), READING);
      return isUnreadable(statements)
        ? statements.field
        : [...(statements[0]?.lines ?? [])].map(({ bookedOn }) => bookedOn);
    };
    const [opening, closing]: readonly [Told, Told] = [
      ['OPBD', '1.00', DAY],
      ['CLBD', '101.00', DAY],
    ];
    expect(await dated(opening, closing)).to.deep.equal([DAY]);
    expect(await dated(opening, closing, ['CLAV', '7.00', LATE])).to.deep.equal([DAY]);
    expect(await dated(['OPBD', '1.00', EARLY], closing)).to.equal('BookgDt');
    expect(await dated(closing, ['OPBD', '1.00'])).to.equal('BookgDt');
    expect(await dated(['OPBD', '1.00'], ['CLBD', '101.00'])).to.equal('BookgDt');
    expect(await dated(closing)).to.equal('BookgDt');
    expect(await dated()).to.equal('BookgDt');
  });
});

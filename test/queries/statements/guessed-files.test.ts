import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../../src/domain/brand.ts';
import type { CurrencyCode } from '../../../src/domain/statement-line.ts';
import type { ProfileName, StatementProfile } from '../../../src/domain/statement-profile.ts';
import { setProfile } from '../../../src/queries/statements/profiles.ts';
import { importRequest } from '../../../src/queries/statements/statement-request.ts';
import type { QueryDependencies } from '../../../src/queries/query-dependencies.ts';
import { BOOKINGS } from '../../support/bank-files/booking.ts';
import { mt940File } from '../../support/bank-files/mt940-file.ts';
import { AUTHOR } from '../../support/bank-imports.ts';
import { right } from '../../support/right.ts';
import { routeDependencies, routeDoubles, type RouteDoubles } from '../../support/route-dependencies.ts';

type Asked = Parameters<typeof importRequest>[1];

const NOTHING_SAID: Asked = { format: null, account: null, currency: null, profile: null, name: null };
const BANK = branded<ProfileName>('bank');
const OTHER = branded<ProfileName>('other');
const AS_BANK: Asked = { ...NOTHING_SAID, profile: BANK, currency: branded<CurrencyCode>('INR') };

const COLUMNS: StatementProfile = {
  date: 'Date',
  dateFormat: 'yyyy-mm-dd',
  amount: 'Amount',
  currency: null,
  valueDate: null,
  account: null,
  reference: ['Ref'],
  text: ['Text'],
  decimal: '.',
  delimiter: ',',
  skipRows: 0,
};

const tableFor = (name: string): Buffer => Buffer.from(`Date,Amount,Ref,Text\n2023-03-01,-5023.50,X1,${name}\n`);

const ofTwoAccounts = (name: string): Buffer => {
  const bookings = BOOKINGS.map((booking) => ({ ...booking, text: name }));
  return Buffer.from(mt940File(bookings) + mt940File(bookings, { account: 'DE02120300000000202051' }));
};

const [RIGHT, WRONG] = ['ASHA RAO', 'OMAR SEN'] as const;

/** Ways in which these files can not be read. */
const WAYS: readonly (readonly [(name: string) => Buffer, Asked])[] = [
  ...(['camt.053', 'mt940', 'ofx', 'xlsx'] as const).map((format) => [tableFor, { ...AS_BANK, format }] as const),
  [tableFor, { ...AS_BANK, currency: null }],
  [tableFor, { ...AS_BANK, profile: OTHER }],
  [ofTwoAccounts, { ...NOTHING_SAID, account: 'ACC-1' }],
  [ofTwoAccounts, { ...NOTHING_SAID, format: 'camt.053' }],
  [ofTwoAccounts, { ...AS_BANK, format: 'csv' }],
];

describe('a guess of a bank file', () => {
  let doubles: RouteDoubles;

  const asked = (bytes: Buffer, as: Asked, over: Partial<QueryDependencies> = {}) =>
    importRequest({ ...routeDependencies({}, doubles), ...over }, as, bytes, AUTHOR)();

  beforeEach(async () => {
    doubles = routeDoubles();
    right(await setProfile(doubles, BANK, COLUMNS, AUTHOR)());
    right(await setProfile(doubles, OTHER, { ...COLUMNS, amount: 'Betrag' }, AUTHOR)());
    right(await asked(tableFor(RIGHT), AS_BANK));
    right(await asked(ofTwoAccounts(RIGHT), NOTHING_SAID));
  });

  it('is told nothing that a wrong one is not, in whichever way it can not be read, and both leave nothing', async () => {
    const before = doubles.store.recorded();
    for (const [file, as] of WAYS) {
      const refused = await asked(file(RIGHT), as);
      expect(refused, JSON.stringify(as)).to.have.nested.property('left._tag', 'StatementUnreadable');
      expect(refused).to.deep.equal(await asked(file(WRONG), as));
    }
    expect(doubles.store.recorded()).to.deep.equal(before);
  });

  it('is refused as a wrong one is where the profile that it was read by has other columns now', async () => {
    right(await setProfile(doubles, BANK, { ...COLUMNS, amount: 'Betrag' }, AUTHOR)());
    const before = doubles.store.recorded();
    const refused = await asked(tableFor(RIGHT), AS_BANK);
    expect(refused).to.have.nested.property('left._tag', 'StatementUnreadable');
    expect(refused).to.deep.equal(await asked(tableFor(WRONG), AS_BANK));
    expect(doubles.store.recorded()).to.deep.equal(before);
  });

  it('is told nothing that a wrong one is not while nothing can be imported', async () => {
    const before = doubles.store.recorded();
    const overs: readonly Partial<QueryDependencies>[] = [
      { importTurn: TE.left({ _tag: 'Overloaded', by: 'imports' }) },
      {
        readModels: {
          ...doubles.readModels,
          includes: () => TE.left({ _tag: 'ReadModelsUnavailable', detail: 'they are being built' }),
        },
      },
    ];
    for (const over of overs) {
      const refused = await asked(tableFor(RIGHT), AS_BANK, over);
      expect(E.isLeft(refused)).to.equal(true);
      expect(refused).to.deep.equal(await asked(tableFor(WRONG), AS_BANK, over));
    }
    expect(doubles.store.recorded()).to.deep.equal(before);
  });

  it('stays in the ledger where it is wrong and can be read; one that is right answers as the first import did', async () => {
    const before = doubles.store.recorded().length;
    const first = right(await asked(tableFor(RIGHT), AS_BANK));
    const otherwise = { ...AS_BANK, account: 'ACC-2', currency: branded<CurrencyCode>('EUR'), name: 'again.csv' };
    const { account, currency } = otherwise;
    expect(right(await asked(tableFor(RIGHT), otherwise))).to.deep.equal({ ...first, readAs: { account, currency } });
    expect(first.statement).to.include({ account: 'bank', currency: 'INR', name: null, newLines: 1 });
    expect(doubles.store.recorded()).to.have.length(before);
    const { statement } = right(await asked(tableFor(WRONG), AS_BANK));
    expect(right(await doubles.readModels.statement(statement.statementId)())?.by).to.equal(AUTHOR.by);
  });
});

import { expect } from 'chai';
import { LONGEST_ACCOUNT, MOST_ACCOUNTS } from '../../src/statements/file-accounts.ts';
import { readStatementFile } from '../../src/statements/read-statement-file.ts';
import type { StatementFormat } from '../../src/statements/statement-format.ts';
import { isWrongProfile, parseProfile } from '../../src/statements/table/parse-profile.ts';
import { isUnreadable } from '../../src/statements/unreadable.ts';
import { ACCOUNT, BOOKINGS } from '../support/bank-files/booking.ts';
import { camtFile } from '../support/bank-files/camt-file.ts';
import { mt940File } from '../support/bank-files/mt940-file.ts';
import { ofxFile } from '../support/bank-files/ofx-file.ts';

const times = (many: number, of: (number: number) => string): string =>
  Array.from({ length: many }, (_, i) => of(i)).join('');

/** What a statement of one account is in a document of several, each with an account of its own. */
const repeated = (document: string, [begin, end]: readonly [string, string], many: number): string => {
  const [from, to] = [document.indexOf(begin), document.indexOf(end) + end.length];
  const statement = document.slice(from, to);
  return document.slice(0, from) + times(many, (i) => statement.replace(ACCOUNT, `ACC${i}`)) + document.slice(to);
};

/** Files of so many accounts, and what of them names an account. */
const FILES: readonly (readonly [format: StatementFormat, field: string, of: (many: number) => string])[] = [
  ['mt940', ':25:', (many) => times(many, (i) => mt940File(BOOKINGS, { account: `ACC${i}` }))],
  ['camt.053', 'Acct', (many) => repeated(camtFile(BOOKINGS, { blanks: true }), ['<Stmt>', '</Stmt>'], many)],
  ['ofx', 'ACCTID', (many) => repeated(ofxFile(BOOKINGS), ['<STMTRS>', '</STMTRS>'], many)],
  ['csv', 'Account', (many) => `Date,Account,Amount\n${times(many, (i) => `2026-03-02,ACC${i},1.50\n`)}`],
];

const PROFILE = { date: 'Date', dateFormat: 'yyyy-mm-dd', amount: 'Amount', currency: 'EUR', account: 'Account' };

const read = (format: StatementFormat, text: string): ReturnType<typeof readStatementFile> => {
  const profile = parseProfile(PROFILE);
  if (isWrongProfile(profile)) return expect.fail(profile.detail);
  return readStatementFile(Buffer.from(text), { format, profile, account: null, currency: null });
};

describe('the accounts of a bank file', () => {
  for (const [format, field, fileOf] of FILES) {
    it(`are a thousand at the most, and a file of more is refused whole: ${format}`, async () => {
      const whole = await read(format, fileOf(MOST_ACCOUNTS));
      const accounts = isUnreadable(whole) ? expect.fail(whole.detail) : whole.map(({ account }) => account);
      expect(new Set(accounts).size).to.equal(MOST_ACCOUNTS);
      const more = await read(format, fileOf(MOST_ACCOUNTS + 1));
      const refused = isUnreadable(more) ? more : expect.fail('it was read');
      expect(refused).to.include({
        field,
        detail: 'a file has 1,000 accounts at the most: ask the bank for several files',
      });
      expect(refused.line).to.be.greaterThan(MOST_ACCOUNTS);
    });
  }

  it('have names of no more characters than whoever lists them has room for', async () => {
    const named = (length: number): string => mt940File(BOOKINGS, { account: 'A'.repeat(length) });
    expect(isUnreadable(await read('mt940', named(LONGEST_ACCOUNT)))).to.equal(false);
    expect(await read('mt940', named(LONGEST_ACCOUNT + 1))).to.include({
      line: 2,
      field: ':25:',
      detail: 'the account has a name of 257 characters, of which 256 are read',
    });
  });
});

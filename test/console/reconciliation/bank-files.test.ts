import { expect } from 'chai';
import type { ConsoleQuestion } from '../../../src/console/console-question.ts';
import { pageText } from '../../../src/console/html.ts';
import { timesIn } from '../../../src/console/local-time.ts';
import { bankFiles } from '../../../src/console/reconciliation/bank-files.ts';
import { namedAccounts } from '../../../src/console/reconciliation/named-accounts.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { BusinessDay } from '../../../src/domain/business-day.ts';
import type { RequestId } from '../../../src/domain/ids.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { StatementAccount } from '../../../src/domain/own-event/statement-events.ts';
import type { AccountName, CurrencyCode } from '../../../src/domain/statement-line.ts';
import type { ImportedStatement } from '../../../src/read-models/bank-questions.ts';
import { NOW } from '../../support/route-dependencies.ts';
import { keyOf } from '../router-scene.ts';
import { importedFile } from '../../support/imported-file.ts';

const KEY = keyOf('reader', 'reader-key', ['reports:read']);

const ASKED: ConsoleQuestion = {
  session: { key: KEY, nonce: 'nonce', expiresAt: Date.UTC(2024, 0) },
  reader: { keyId: KEY.id, mayRead: () => true },
  personal: 'masked',
  times: timesIn('UTC'),
  path: '/console/reconciliation',
  querystring: '',
  form: new Map(),
  file: null,
  isTooLarge: false,
  isFromThisMachine: true,
  requestId: branded<RequestId>('request-1'),
  lastEventId: '',
  origin: 'http://127.0.0.1',
  now: NOW,
};

const account = (name: string, coveredTo: string | null): StatementAccount => ({
  account: branded<AccountName>(name),
  currency: branded<CurrencyCode>('EUR'),
  from: null,
  to: null,
  opening: null,
  closing: null,
  lines: 0,
  coveredFrom: null,
  coveredTo: coveredTo === null ? null : branded<BusinessDay>(coveredTo),
});

const file = (number: number, accounts: readonly StatementAccount[]): ImportedStatement => ({
  ...importedFile(`file-${number}`, accounts),
  position: positionAt(number),
  by: 'finance',
  at: NOW,
});

const named = (prefix: string, many: number, coveredTo: string | null): readonly StatementAccount[] =>
  Array.from({ length: many }, (_, i) => account(`${prefix}-${String(i).padStart(3, '0')}`, coveredTo));

const shown = async (files: readonly ImportedStatement[], more = false): Promise<string> =>
  (await pageText(bankFiles({ data: files, more }, ASKED))).replaceAll(/\s+/g, ' ');

/** The accounts that lead to their lines. */
const listed = (page: string): readonly string[] => page.match(/(?<=type="submit">)[^<]+/g) ?? [];

describe('the bank files on a page', () => {
  it('are of a hundred accounts at the most, those that reach furthest and came last, and say how many others there are', async () => {
    const files = [
      file(3, named('unsaid', 400, null)),
      file(2, [...named('late', 60, '2026-03-31'), ...named('newer', 30, '2026-03-10')]),
      file(1, named('older', 30, '2026-03-10')),
    ];
    const page = await shown(files);
    const [late, newer, older] = [named('late', 60, null), named('newer', 30, null), named('older', 10, null)];
    expect(listed(page)).to.deep.equal([...late, ...newer, ...older].map(({ account: name }) => name));
    expect(page).to.include(
      'The 100 that reach furthest, and 420 more: <code>GET /v1/statements</code> and <code>ramp-ledger statement list --json</code> have all.',
    );
    expect(await shown([file(1, named('few', 100, null))])).not.to.include('that reach furthest');
  });

  it('name five accounts each at the most, and how many more they are of', async () => {
    expect(namedAccounts(named('a', 5, null))).to.equal('a-000, a-001, a-002, a-003, a-004');
    expect(namedAccounts(named('a', 1_000, null))).to.equal('a-000, a-001, a-002, a-003, a-004 and 995 more');
    expect(namedAccounts([...named('a', 1, null), ...named('a', 1, null)])).to.equal('a-000');
    expect(await shown([file(1, named('a', 1_000, null))])).to.include(
      '>a-000, a-001, a-002, a-003, a-004 and 995 more<',
    );
  });

  it('say that there are others, and whose accounts these are, where a page of files ended before', async () => {
    const files = [file(2, named('a', 2, null)), file(1, named('b', 2, null))];
    expect(await shown(files)).not.to.include('The last');
    const page = await shown(files, true);
    expect(page).to.include('Accounts are those of the last 2 files.');
    expect(page).to.include('The last 2; <code>ramp-ledger statement list</code> has all.');
  });
});

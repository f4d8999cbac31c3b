import { expect } from 'chai';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import { fileOfMatch, searchMatch } from '../console/match-search.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { accepted } from '../support/answers.ts';
import {
  MATCHED_UTRS,
  PERSONAL_REFERENCES,
  PERSONAL_STATEMENT,
  TOLD_REFERENCES,
} from '../support/bank-files/personal-references.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, SCOPES, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { readXlsxSheets } from '../support/workbook-cells.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));
const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';

/** A table, whose references stand in a column of their own: numbers of people there too, and one that is none. */
const TABLE = [
  'Date,Amount,Ref,Note,Remarks',
  '10/04/2026,-3.00,FGHIJ5678K,,',
  '10/04/2026,-4.00,TABLE-REF-1,paid TABLE-REF-1,',
  '10/04/2026,-5.00,,for Asha born 1980,',
  '10/04/2026,-6.00,,for Asha  born 1981,',
  '10/04/2026,-7.00,,UPI/Asha/born/1982,monthly',
  '10/04/2026,-8.00,,Ashawati,monthly',
  '10/04/2026,-9.00,,vikram1986,UPI to vikram1986',
  '',
].join('\r\n');
const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref', 'Note'],
  text: ['Note', 'Remarks'],
};
const HIDDEN = [
  ...PERSONAL_REFERENCES,
  'FGHIJ5678K',
  'for Asha born 1980',
  'for Asha  born 1981',
  'UPI/Asha/born/1982',
  'Ashawati',
  'vikram1986',
] as const;

const Items = t.type({
  data: t.array(
    t.type({ itemId: t.string, lines: t.array(t.type({ references: t.array(t.string) })), state: t.string }),
  ),
});
const Statement = t.type({ statementId: t.string });

const ITEMS = '/v1/reconciliation/items?limit=500';
const EXPORTS = '/v1/exports/reconciliation?format=';

describe('references of bank lines that hold the number of a person, or were words of a text', () => {
  let ledger: RunningLedger;
  const statements: string[] = [];
  const cookies = { masked: '', full: '' };

  const ask = async (path: string, key = MASKED_KEY) =>
    exchange(ledger.url, { path, headers: { authorization: `Bearer ${key}` } });

  const page = async (path: string, cookie = cookies.masked): Promise<string> => {
    const { status, text } = await exchange(ledger.url, { path, headers: { cookie } });
    expect(status, path).to.equal(200);
    return text;
  };

  const sent = async (path: string, type: string, text: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': type };
    const answer = await exchange(ledger.url, { method: 'POST', path, headers, body: Buffer.from(text) });
    expect(answer.status, answer.text).to.equal(200);
    const body: unknown = JSON.parse(answer.text);
    return body;
  };

  const linesOf = (): readonly string[] => statements.map((id) => `/v1/statements/${id}/lines`);
  const items = async (key: string) => right(Items.decode(JSON.parse((await ask(ITEMS, key)).text))).data;

  before(async () => {
    const env = {
      BUSINESS_TIME_ZONE: 'UTC',
      API_KEYS: `test:${SCOPES}=${API_KEY},masked:orders:read+reports:read+audit:read+statements:write=${MASKED_KEY}`,
    };
    ledger = await startLedger({ now: () => NOW, env });
    for (const [i, utr] of MATCHED_UTRS.entries()) {
      const paid = { orderId: `paid-${i}`, status: 'PayoutSuccess', utr, fiat: 100 / (i + 1) };
      accepted(await deliver(ledger.url, offRamp({ ...paid, updated_at: '2026-04-10T10:00:00Z' })));
    }
    await sent('/v1/statements/profiles/acme', 'application/json', JSON.stringify(PROFILE));
    for (const [path, type, file] of [
      ['/v1/statements', 'text/plain', PERSONAL_STATEMENT],
      ['/v1/statements?profile=acme&account=ACC-1', 'text/csv', TABLE],
    ] as const)
      statements.push(right(Statement.decode(await sent(path, type, file))).statementId);
    cookies.masked = await signedInCookie(ledger.url, MASKED_KEY);
    cookies.full = await signedInCookie(ledger.url, API_KEY);
  });
  after(() => ledger.close());

  const expectNone = (text: string, where: string): void => {
    for (const reference of HIDDEN) expect(text, where).not.to.include(reference);
  };

  it('are told nowhere without pii:read: in lists, items, breaks, files, and on no page', async () => {
    for (const path of [...linesOf(), ITEMS, `${EXPORTS}csv`, `${EXPORTS}ndjson`]) {
      const { status, text } = await ask(path);
      expect(status, `${path}: ${text}`).to.equal(200);
      expectNone(text, path);
    }
    const sheets = await readXlsxSheets((await ask(`${EXPORTS}xlsx`)).bytes);
    expectNone(JSON.stringify([...sheets]), 'workbook');
    for (const path of ['/console/reconciliation', '/console/reconciliation?state=matched', '/console/orders/paid-0'])
      expectNone(await page(path), path);
  });

  it('are told with it', async () => {
    const texts = await Promise.all([...linesOf(), ITEMS].map(async (path) => (await ask(path, API_KEY)).text));
    for (const reference of HIDDEN) {
      expect(texts.slice(0, -1).join(' '), reference).to.include(`"${reference}"`);
      expect(texts.at(-1), reference).to.include(`"${reference}"`);
    }
  });

  it('are others than those that name a payment or an entry in their place, and those that an order is matched by', async () => {
    const told = [...TOLD_REFERENCES, 'TABLE-REF-1'];
    const lists = (await Promise.all(linesOf().map(async (path) => (await ask(path)).text))).join(' ');
    for (const reference of told) expect(lists, reference).to.include(`"${reference}"`);
    const shown = (await items(MASKED_KEY)).flatMap(({ lines }) => lines.flatMap(({ references }) => references));
    expect(shown).to.include.members([...told, ...MATCHED_UTRS]);
    for (const [i, utr] of MATCHED_UTRS.entries())
      expect(await page(`/console/orders/paid-${i}`), utr).to.match(new RegExp(`Bank line of[^]*${utr}`));
  });

  it('match as they did: what a caller sees of them decides nothing', async () => {
    const seen = async (key: string) => (await items(key)).map(({ itemId, state }) => [itemId, state]);
    expect(await seen(MASKED_KEY)).to.deep.equal(await seen(API_KEY));
    expect((await items(MASKED_KEY)).filter(({ state }) => state === 'matched')).to.have.length(2);
  });

  it('find nothing at the match for who is not told them, whether a guess is right or not', async () => {
    const all = await items(API_KEY);
    const found = async (text: string, cookie: string): Promise<boolean> => {
      const its = all.find(({ lines }) => lines.some(({ references }) => references.includes(text)));
      const [file, listed] = [
        await fileOfMatch(ledger.url, cookie, { text }),
        await searchMatch(ledger.url, cookie, { text }),
      ];
      expect([file.status, listed.status], text).to.deep.equal([200, 200]);
      const isOnPage = listed.text.includes(its?.itemId ?? '?');
      expect(file.text.includes(its?.itemId ?? '?'), text).to.equal(isOnPage);
      return isOnPage;
    };
    const unmatched = HIDDEN.filter((reference) => reference !== '9876543210');
    for (const reference of unmatched) {
      expect(await found(reference, cookies.full), reference).to.equal(true);
      expect(await found(reference, cookies.masked), reference).to.equal(false);
    }
    for (const reference of ['INV2604100017', 'TABLE-REF-1'])
      expect(await found(reference, cookies.masked), reference).to.equal(true);
  });
});

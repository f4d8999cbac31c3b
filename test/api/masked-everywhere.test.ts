import { expect } from 'chai';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import { searchMatch } from '../console/match-search.ts';
import { signedInCookie } from '../console/sign-in.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange, type Asking } from '../support/exchange.ts';
import { offRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, SCOPES, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { readXlsxSheets } from '../support/workbook-cells.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));
const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';
const REPORTS_KEY = 'reports-api-key-of-at-least-24-bytes';

/** An address that stands in each text that somebody else chose, in letters that nothing else has. */
const LOCAL_PART = 'qzjwvk';
const addressIn = (where: string): string => `${LOCAL_PART}.${where}@example.com`;

/** A text that is JSON with a name of somebody, in letters that nothing else has. */
const NAME = 'zvkqpr';
const jsonWithName = (where: string): string => JSON.stringify({ holderName: `${NAME} ${where}` });

/** A reference of a bank that reads like a payment address: it is the order's utr, and never masked. */
const UTR = 'REF77@HDFC';

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref', 'Other'],
};
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const CSV = [
  'Date,Amount,Ref,Other',
  '10/04/2026,-100.00,U1,',
  `10/04/2026,-7.00,${addressIn('reference')},`,
  `10/04/2026,-8.00,${quoted(jsonWithName('reference'))},X-1`,
  '',
].join('\r\n');
const TRANSFER = {
  chainId: 137,
  txnHash: `0x${'ab'.repeat(32)}`,
  status: 'success',
  to: `0x${'2'.repeat(40)}`,
  baseUnits: '5',
  source: addressIn('source'),
};

const Items = t.type({ data: t.array(t.type({ itemId: t.string })) });
const Statement = t.type({ statementId: t.string });

const LISTS = [
  '/v1/statements',
  '/v1/reconciliation',
  '/v1/reconciliation/items?limit=500',
  '/v1/reconciliation/items?state=explained',
  '/v1/exports/reconciliation?format=csv',
  '/v1/exports/reconciliation?format=ndjson',
  '/v1/exports/reconciliation/manifest',
  '/v1/transfers',
  '/v1/orders?count=true',
  '/v1/orders/one',
  '/v1/orders/one/events',
  '/v1/orders/one/audit',
  '/v1/orders/three',
  '/v1/orders/three/events',
  '/v1/orders/three/audit',
  '/v1/audit',
  '/v1/exports/orders?format=csv',
  '/v1/exports/orders/manifest',
  '/v1/exports/events?format=ndjson',
  '/v1/exports/audit?format=csv',
  '/v1/reports/offramp?groupBy=day,currency,token',
  '/v1/reports/offramp?format=csv',
  '/v1/reports/offramp?period=2026-04',
  '/v1/periods',
  '/v1/periods/2026-04/readiness',
] as const;

const WORKBOOKS = [
  '/v1/exports/reconciliation?format=xlsx',
  '/v1/exports/orders?format=xlsx',
  '/v1/reports/offramp?format=xlsx',
] as const;

describe('what is personal in whatever text somebody chose', () => {
  let ledger: RunningLedger;
  let cookie = '';
  let statementId = '';

  const ask = async (asking: Asking, key = API_KEY) =>
    exchange(ledger.url, { ...asking, headers: { authorization: `Bearer ${key}`, ...asking.headers } });

  const sent = async (path: string, type: string, text: string): Promise<unknown> => {
    const answer = await ask({ method: 'POST', path, headers: { 'content-type': type }, body: Buffer.from(text) });
    expect(answer.status, answer.text).to.equal(200);
    const body: unknown = JSON.parse(answer.text);
    return body;
  };

  before(async () => {
    const env = {
      API_KEYS: `test:${SCOPES}=${API_KEY},masked:orders:read+reports:read+audit:read+statements:write=${MASKED_KEY},reports:reports:read=${REPORTS_KEY}`,
    };
    ledger = await startLedger({ now: () => NOW, env });
    const paid = { orderId: 'one', utr: 'U1', fiat: 100, updated_at: '2026-04-10T10:00:00Z' };
    const texts = {
      currency: addressIn('currency'),
      sellTokenAddress: addressIn('token'),
      transactionId: addressIn('transaction'),
      metaData: { ref: addressIn('meta'), basket: 'basket-77' },
    };
    accepted(await deliver(ledger.url, offRamp({ ...paid, ...texts, status: 'PayoutSuccess' })));
    accepted(await deliver(ledger.url, offRamp({ orderId: 'two', status: addressIn('status'), utr: 'U2' })));
    const json = {
      currency: jsonWithName('currency'),
      sellTokenSymbol: jsonWithName('symbol'),
      sellTokenAddress: jsonWithName('token'),
      senderWalletAddress: jsonWithName('wallet'),
      transactionId: jsonWithName('transaction'),
      tenantId: jsonWithName('tenant'),
    };
    accepted(
      await deliver(ledger.url, offRamp({ ...paid, ...json, orderId: 'three', utr: UTR, status: 'PayoutSuccess' })),
    );
    await sent('/v1/statements/profiles/acme', 'application/json', JSON.stringify(PROFILE));
    const query = new URLSearchParams({ profile: 'acme', account: 'ACC-1', name: `${addressIn('file')}.csv` });
    ({ statementId } = right(Statement.decode(await sent(`/v1/statements?${query.toString()}`, 'text/csv', CSV))));
    await sent('/v1/transfers', 'application/x-ndjson', JSON.stringify(TRANSFER));
    const { data } = right(Items.decode(JSON.parse((await ask({ path: '/v1/reconciliation/items' })).text)));
    const note = JSON.stringify({ decision: 'explain', note: addressIn('note') });
    await sent(`/v1/reconciliation/items/${data[0]?.itemId ?? ''}/decision`, 'application/json', note);
    cookie = await signedInCookie(ledger.url, MASKED_KEY);
  });
  after(() => ledger.close());

  const expectMasked = (text: string, where: string): void => {
    // Currencies are kept in upper case.
    expect(text.toLowerCase(), where).not.to.include(LOCAL_PART);
    expect(text.toLowerCase(), where).not.to.include(NAME);
  };

  it('comes out nowhere without pii:read, in lists, reports, files and manifests', async () => {
    for (const path of [...LISTS, `/v1/statements/${statementId}/lines`]) {
      const { status, text } = await ask({ path }, MASKED_KEY);
      expect(status, `${path}: ${text}`).to.equal(200);
      expectMasked(text, path);
    }
    for (const path of WORKBOOKS) {
      const sheets = await readXlsxSheets((await ask({ path }, MASKED_KEY)).bytes);
      expectMasked(JSON.stringify([...sheets]), path);
    }
  });

  it('comes out for who has it: what is handed in is kept as it is', async () => {
    for (const [path, where] of [
      ['/v1/statements', 'file'],
      ['/v1/reconciliation', 'currency'],
      ['/v1/reconciliation/items?limit=500', 'transaction'],
      ['/v1/transfers', 'source'],
    ] as const) {
      expect((await ask({ path })).text.toLowerCase(), path).to.include(addressIn(where));
    }
  });

  it('is masked in the answer to who brings the file again', async () => {
    const path = '/v1/statements?profile=acme&account=ACC-1';
    const headers = { 'content-type': 'text/csv' };
    const again = await ask({ method: 'POST', path, headers, body: Buffer.from(CSV) }, MASKED_KEY);
    expect(again.status, again.text).to.equal(200);
    expectMasked(again.text, 'imported again');
  });

  it('comes out on no page of the console', async () => {
    const pages = [
      '/',
      '/console/orders',
      '/console/orders/one',
      '/console/orders/three',
      '/console/orders/three/events/0',
      '/console/audit',
      '/console/reconciliation?state=explained',
      `/console/reconciliation?imported=${statementId}`,
      '/console/reconciliation?orderId=three',
      '/console/reports/offramp?groupBy=token',
      '/console/reports/offramp?groupBy=token&period=2026-04',
      '/console/periods',
    ];
    for (const path of pages) {
      const { status, text } = await exchange(ledger.url, { path, headers: { cookie } });
      expect(status, path).to.equal(200);
      expectMasked(text, path);
    }
  });

  it('is no utr: that of an order is the same text wherever it stands', async () => {
    for (const path of ['/v1/orders/three', '/v1/orders/three/audit', '/v1/reconciliation/items?limit=500']) {
      expect((await ask({ path }, MASKED_KEY)).text, path).to.include(`"utr":"${UTR}"`);
    }
    for (const path of ['/console/orders/three', '/console/audit', '/console/reconciliation?orderId=three']) {
      const { text } = await exchange(ledger.url, { path, headers: { cookie } });
      expect(text, path).to.include(UTR);
    }
  });

  it('is searched for at the match only where orders may be read: others find an order by what the match shows of it', async () => {
    const found = async (guess: string, by: string): Promise<boolean> => {
      const { status, text } = await searchMatch(ledger.url, by, { text: guess });
      expect(status, guess).to.equal(200);
      return />\s*one\s*</.test(text);
    };
    const reports = await signedInCookie(ledger.url, REPORTS_KEY);
    expect(await found('basket-77', cookie)).to.equal(true);
    expect(await found('basket-77', reports)).to.equal(false);
    for (const shown of ['one', 'U1', 'u1']) expect(await found(shown, reports), shown).to.equal(shown !== 'u1');
  });

  it('finds nothing in the search of the match, whoever guesses it', async () => {
    const found = async (guess: string): Promise<boolean> => {
      const { status, text } = await searchMatch(ledger.url, cookie, { text: guess });
      expect(status, guess).to.equal(200);
      return text.includes('/console/orders/one');
    };
    expect(await found('U1')).to.equal(true);
    expect(await found(addressIn('meta'))).to.equal(false);
  });
});

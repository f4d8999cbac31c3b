import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { hiddenField, sendForm, signedInCookie } from './sign-in.ts';

const CLOSER = 'closer-api-key-of-at-least-24-bytes';
const LOOKER = 'looker-api-key-of-at-least-24-bytes';
const PERSONAL = 'personal-api-key-of-at-least-24-bytes';
const ORDERS = 'orders-api-key-of-at-least-24-bytes';
const MARCH = '2026-03-05T06:31:08.000Z';
const PAGE = '/console/periods/2026-03';
const HOSTILE = `<script>window.pwned=1</script>"'>`;
const ESCAPED = '&lt;script&gt;window.pwned=1&lt;/script&gt;&quot;&#39;&gt;';

describe('the pages of months', () => {
  let ledger: RunningLedger;
  let cookies: ReadonlyMap<string, string>;
  const begin = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
    ledger = await startLedger({
      now: () => branded<Instant>('2026-04-02T10:00:00.000Z'),
      env: {
        BUSINESS_TIME_ZONE: 'Asia/Kolkata',
        API_KEYS: `closer:reports:read+orders:read+audit:read+periods:write=${CLOSER},looker:reports:read=${LOOKER},orders:orders:read=${ORDERS},personal:reports:read+pii:read=${PERSONAL}`,
        ...env,
      },
    });
    const pairs: (readonly [string, string])[] = [];
    for (const key of [CLOSER, LOOKER, ORDERS, PERSONAL]) pairs.push([key, await signedInCookie(ledger.url, key)]);
    cookies = new Map(pairs);
    await give({ orderId: 'mar', status: 'completed', fiat: 100.5 });
    await give({ orderId: 'late', status: 'fiatPending', fiat: 7 });
  };
  beforeEach(() => begin());
  afterEach(() => ledger.close());

  const give = (facts: JsonObject): Promise<void> => deliverBody(onRamp({ createdAt: MARCH, ...facts }));
  const deliverBody = async (payload: JsonObject): Promise<void> => {
    const { text } = await deliver(ledger.url, bodyOf(payload));
    const position = String(at(JSON.parse(text), 'position'));
    const headers = { authorization: `Bearer ${CLOSER}` };
    const path = `/v1/reports/onramp?position=${position}`;
    expect((await exchange(ledger.url, { path, headers })).status).to.equal(200);
  };
  const ask = (path: string, key = CLOSER): Promise<Answer> =>
    exchange(ledger.url, { path, headers: { cookie: cookies.get(key) ?? '' } });
  const send = async (deed: string, fields: Readonly<Record<string, string>>, key = CLOSER): Promise<Answer> => {
    const token = hiddenField(await ask('/', key), 'token');
    return sendForm(ledger.url, `${PAGE}/${deed}`, { token, ...fields }, { cookie: cookies.get(key) ?? '' });
  };
  const closes = async (): Promise<number> => (await ledger.eventsOf('period-2026-03')).length;
  const OVERDUE = { 'despite-clock-anomalies': 'yes' };

  it('show what is left to do, each check with the way to what is behind it', async () => {
    const list = await ask('/console/periods');
    expect(list.text).to.include(`href="${PAGE}"`).and.to.include('aria-current="page">Periods');
    await deliverBody(
      offRamp({ orderId: 'deemed', created_at: MARCH, updated_at: MARCH, status: 'fiatDeemed', utr: 'U1' }),
    );
    const { text } = await ask(PAGE);
    expect(text)
      .to.include('href="/console/orders?anomaly=clock&amp;from=2026-03-01&amp;to=2026-03-31"')
      .and.to.include('name="despite-clock-anomalies" value="yes" required')
      .and.to.match(/Why<input name="note" required/)
      .and.to.not.include('name="despite-quarantine"');
    expect(text.replace(/<[^>]+>|\s+/g, ' ').replace(/ +/g, ' '), 'in the zone of the ledger').to.include(
      'it ended at 2026-04-01 00:00:00',
    );
    const behind = await ask('/console/orders?anomaly=clock&from=2026-03-01&to=2026-03-31');
    expect(behind.text).to.include('href="/console/orders/late"').and.to.include('href="/console/orders/deemed"');
  });

  it('are seen with reports:read, and their forms are for those with periods:write', async () => {
    for (const path of ['/console/periods', PAGE]) expect((await ask(path, ORDERS)).status).to.equal(403);
    const seen = await ask(PAGE, LOOKER);
    expect(seen.status).to.equal(200);
    expect(seen.text)
      .to.include('scope periods:write')
      .and.to.not.include(`action="${PAGE}/close"`)
      .and.to.not.include('href="/console/orders?');
    for (const deed of ['close', 'reopen']) {
      expect((await send(deed, { note: 'x', ...OVERDUE }, LOOKER)).status, deed).to.equal(403);
      expect((await ask(`${PAGE}/${deed}`)).status).to.be.oneOf([404, 405]);
    }
    const cookie = cookies.get(CLOSER) ?? '';
    const token = hiddenField(await ask('/'), 'token');
    expect((await sendForm(ledger.url, `${PAGE}/close`, OVERDUE, { cookie })).status, 'no token').to.equal(403);
    const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
    expect((await sendForm(ledger.url, `${PAGE}/close`, { token, ...OVERDUE }, foreign)).status).to.equal(403);
    expect(await closes()).to.equal(0);
  });

  it('close a month only over the checks that are ticked, once, with a note that is shown as text', async () => {
    const refused = await send('close', { note: 'n' });
    expect(refused.status).to.equal(409);
    expect(refused.text).to.include('No order is unpaid or unconfirmed for too long (clock-anomalies)');
    expect(await closes()).to.equal(0);
    const closed = await send('close', { note: HOSTILE, ...OVERDUE });
    expect([closed.status, closed.headers.location]).to.deep.equal([303, PAGE]);
    expect((await send('close', { note: 'again', ...OVERDUE })).status).to.equal(409);
    expect(await closes()).to.equal(1);
    const { text } = await ask(PAGE);
    expect(text)
      .to.include(ESCAPED)
      .and.to.match(/Closed with these open<\/dt>\s*<dd>\s*1 order is overdue or deemed for too long\s*<\/dd>/)
      .and.to.include('<dd>closer</dd>')
      .and.to.include('Nothing: it would be reported the same today')
      .and.to.not.include(HOSTILE);
  });

  it('show what changed since, down to the order, and mark the report', async () => {
    await send('close', { note: '', ...OVERDUE });
    const [asClosed, ofNow] = [
      '/console/reports/onramp?period=2026-03',
      '/console/reports/onramp?from=2026-03-01&to=2026-03-31',
    ];
    expect((await ask(asClosed)).text)
      .to.include('2026-03 is closed')
      .and.to.include('Nothing changed since');
    await give({ orderId: 'late', status: 'completed', fiat: 7 });
    await give({ orderId: 'new', status: 'fiatPending', fiat: 50 });
    const { text } = await ask(PAGE);
    expect(text)
      .to.match(/Settled <code>fiat\.settled<\/code><\/th>[^]*?title="100\.5"[^]*?title="107\.5"/)
      .and.to.include('href="/console/orders/late"')
      .and.to.not.include('href="/console/orders/mar"');
    expect((await ask(PAGE, LOOKER)).text)
      .to.include('late')
      .and.to.not.include('href="/console/orders/late"');
    expect((await ask('/console/periods')).text).to.include(`href="${PAGE}#adjustments"`);
    const [figures = '', differences = ''] = (await ask(asClosed)).text.split('Closed, and now</h2>');
    expect(figures)
      .to.match(/closed<\/strong>: on <time[^>]*>[^<]+<\/time\s*> by closer/)
      .and.to.include('figures of the close')
      .and.to.include(`href="${PAGE}#adjustments"`)
      .and.to.include('title="107.5"')
      .and.to.not.include('title="157.5"');
    expect(differences).to.match(/<td>Settled<\/td>[^]*?title="100\.5"[^]*?title="107\.5"[^]*?title="7"/);
    expect((await ask(ofNow)).text)
      .to.include('figures of now')
      .and.to.include(`href="${asClosed}"`)
      .and.to.include('title="157.5"');
    expect((await ask('/console/reports/onramp?range=this-month')).text).to.not.include('is closed');
  });

  it('show the checkpoint that a month was closed at, and whether the log still contains it; the trail leads there', async () => {
    await ledger.close();
    const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
    await begin({ LEDGER_ORIGIN: 'log.example/months', LEDGER_SIGNING_KEY: key });
    expect((await send('close', { note: 'n', ...OVERDUE })).status).to.equal(303);
    const closed = await ask(PAGE);
    expect(closed.text).to.include('The newest signed checkpoint then');
    const [token, checkpoint] = [hiddenField(closed, 'token'), hiddenField(closed, 'checkpoint')];
    const checkPage = '/console/health/checkpoint';
    const cookie = cookies.get(CLOSER) ?? '';
    const answer = await sendForm(ledger.url, checkPage, { token, checkpoint }, { cookie });
    expect(answer.text).to.include('The log still contains all of it');
    expect((await ask(PAGE, LOOKER)).text)
      .to.include('checkpoint then')
      .and.not.include('name="checkpoint"');
    expect((await ask('/console/audit?type=PeriodClosed')).text).to.include(`<a href="${PAGE}">PeriodClosed</a>`);
  });

  it('give a closed month to print, and as a workbook, to those who see reports', async () => {
    const [print, file] = [`${PAGE}/print`, '/console/files/periods/2026-03'];
    for (const path of [print, file]) expect((await ask(path)).status, path).to.equal(409);
    await send('close', { note: HOSTILE, ...OVERDUE });
    expect((await ask(PAGE)).text)
      .to.include(`href="${print}"`)
      .and.to.include(`href="${file}"`);
    for (const path of [print, file]) {
      expect((await ask(path, ORDERS)).status, path).to.equal(403);
      expect((await ask(path, LOOKER)).status, path).to.equal(200);
    }
    const { text } = await ask(print);
    expect(text)
      .to.include('Close of 1 to 31 March 2026, Asia/Kolkata')
      .and.to.include('On-ramp, by day of settlement')
      .and.to.include('No order is unpaid or unconfirmed for too long')
      .and.to.include('Nothing came for earlier months')
      .and.to.include(ESCAPED)
      .and.to.not.include(HOSTILE);
  });

  it('show e-mail addresses in notes to those alone who may read personal data', async () => {
    const [note, masked] = ['asked asha@example.com', 'asked a***@example.com'];
    await send('close', { note, ...OVERDUE });
    for (const path of [PAGE, `${PAGE}/print`]) {
      expect((await ask(path, PERSONAL)).text).to.include(`<dd>${note}</dd>`);
      expect((await ask(path)).text, path)
        .to.include(`<dd>${masked}</dd>`)
        .and.to.not.include('asha@');
    }
    await send('reopen', { note });
    expect((await ask(PAGE, PERSONAL)).text).to.include(`reopened by closer: ${note}`);
    expect((await ask(PAGE)).text)
      .to.include(`reopened by closer: ${masked}`)
      .and.to.not.include('asha@');
  });

  it('open the latest closed month again, with a note that says why', async () => {
    expect((await send('reopen', { note: 'x' })).status).to.equal(409);
    await send('close', OVERDUE);
    for (const note of ['', '  ']) expect((await send('reopen', { note })).status).to.equal(400);
    expect((await send('reopen', { note: HOSTILE })).status).to.equal(303);
    const { text } = await ask(PAGE);
    expect(text).to.include(`reopened by closer: ${ESCAPED}`).and.to.include(`action="${PAGE}/close"`);
  });

  it('say how many orders are dated after the month that goes on, and lead to them', async () => {
    // The last moment of April in India, and the first of May.
    await give({ orderId: 'april', createdAt: '2026-04-30T18:29:59.999Z' });
    expect((await ask('/console/periods')).text).not.to.include('dated after');
    await give({ orderId: 'may', createdAt: '2026-04-30T18:30:00.000Z' });
    expect((await ask('/console/periods')).text).to.match(
      /<a href="\/console\/orders\?from=2026-05-01">One order is<\/a> dated after this month/,
    );
    const seen = (await ask('/console/periods', LOOKER)).text;
    expect(seen)
      .to.match(/One order is dated after this month/)
      .and.not.to.include('/console/orders?from');
  });

  it('show lists and reports as of a moment, say so, and lead back to now', async () => {
    const position = (await ledger.eventsOf('order-mar'))[0]?.position ?? '';
    await give({ orderId: 'mar', status: 'refunded', fiat: 100.5 });
    expect((await ask(`/console/orders?phase=settled&asOf=${position}`)).text)
      .to.include('href="/console/orders/mar"')
      .and.to.include('As it was known then')
      .and.to.include('href="/console/orders?phase=settled"')
      .and.to.include(`value="${position}"`);
    expect((await ask(`/console/reports/onramp?range=all&asOf=${position}`)).text)
      .to.include('As it was known then')
      .and.to.include('href="/console/reports/onramp?range=all"')
      .and.to.include(`asOf=${position}`);
    expect((await ask('/console/orders?phase=settled')).text)
      .to.not.include('href="/console/orders/mar"')
      .and.to.not.include('As it was known then');
    const none = (await ask('/console/orders?phase=refunded&asOf=2020-01-01T00:00:00Z')).text;
    expect(none).to.include('before the first event').and.to.include('Without the moment');
  });
});

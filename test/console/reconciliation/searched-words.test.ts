import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../../support/browser/browser.ts';
import { expectNoSidewaysScroll } from '../../support/browser/layout.ts';
import { exchange } from '../../support/exchange.ts';
import { offRamp } from '../../support/payloads.ts';
import { keyText } from '../console-keys.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import { searchMatch } from '../match-search.ts';
import { hiddenField, sendForm } from '../sign-in.ts';

const PAGE = '/console/reconciliation';
const SEARCH = `${PAGE}/search`;
const CUSTOMER = 'kiran.desai@example.com';
const ACCOUNT = 'KIRAN-SAVINGS-XQZW';
const ORDER = 'of-kiran';
const LINES = 25;

/** What would be found in an address, however it is escaped there. */
const TELLTALES = /kiran|xqzw/i;

const STATEMENT = [
  ':20:X',
  `:25:${ACCOUNT}`,
  ':28C:1/1',
  ':60F:C260310INR0,00',
  ...Array.from({ length: LINES }, (_, i) => `:61:2603100310C10,00NTRFNONREF//NOBODY${100 + i}`),
  `:62F:C260310INR${10 * LINES},00`,
  '-',
  '',
].join('\r\n');

const paid = offRamp({
  orderId: ORDER,
  status: 'PayoutSuccess',
  utr: 'UTR-K',
  fiat: 100,
  currency: 'INR',
  created_at: '2026-03-10T08:00:00Z',
  updated_at: '2026-03-10T09:00:00Z',
});

describe('what is searched for at the match', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitors: readonly Visitor[] = [];
  /** Addresses that the browser asked for, and those that it said it came from. */
  const addresses: string[] = [];
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    const customer = { id: 'cust-1', email: CUSTOMER, created_at: '2026-01-01T00:00:00Z' };
    await scene.deliver([[{ ...paid, customer }]]);
    const headers = { authorization: `Bearer ${keyText('full')}`, 'content-type': 'text/plain' };
    const body = Buffer.from(STATEMENT);
    const { status, text } = await exchange(scene.url, { method: 'POST', path: '/v1/statements', headers, body });
    expect(status, text).to.equal(200);
    const cookie = await scene.cookie('full');
    visitors = await Promise.all([
      browser.visitor({ url: scene.url, cookie }),
      browser.visitor({ url: scene.url, cookie, scripts: false, width: 390, theme: 'dark' }),
    ]);
    for (const { page } of visitors)
      page.on('request', (request) => {
        addresses.push(request.url(), request.headers()['referer'] ?? '');
      });
  });
  beforeEach(() => addresses.splice(0));
  afterEach(() => {
    for (const visitor of visitors) visitor.expectPeace();
    expect(addresses.filter((address) => TELLTALES.test(address))).to.deep.equal([]);
    const { out, requests } = scene.logged();
    expect(out + JSON.stringify(requests)).not.to.match(TELLTALES);
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const items = ({ page }: Visitor) => page.locator('.entries > li');

  const search = async ({ page, open }: Visitor, text: string): Promise<void> => {
    await open(PAGE);
    await page.locator('.filters input[name=text]').fill(text);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(`**${SEARCH}`);
  };

  /** What looks at a page needs scripts on it. */
  const expectFit = async (visitor: Visitor): Promise<void> => {
    if (visitor === visitors[0]) await expectAccessible(visitor.page);
    await expectNoSidewaysScroll(visitor.page);
  };

  const press = async ({ page }: Visitor, name: string): Promise<void> => {
    // The page that comes may have the same address.
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name, exact: true }).click();
    await loaded;
  };

  it('finds an order, and stays in the field', async () => {
    for (const visitor of visitors) {
      await search(visitor, CUSTOMER);
      expect(await items(visitor).count(), 'nothing is found at the match by an e-mail address').to.equal(0);
      expect(await visitor.page.locator('.filters input[name=text]').inputValue()).to.equal(CUSTOMER);
      await search(visitor, ORDER);
      expect(await items(visitor).allInnerTexts()).to.have.length(1);
      expect(await items(visitor).innerText()).to.include('of-kiran');
      expect(await visitor.page.locator('.filters input[name=text]').inputValue()).to.equal(ORDER);
      await expectFit(visitor);
    }
  });

  it('goes on to further pages and back to the first, with all else that was chosen', async () => {
    for (const visitor of visitors) {
      const { page, open } = visitor;
      await open(PAGE);
      await page.locator('select[name=account]').selectOption(ACCOUNT);
      await page.locator('select[name=state]').selectOption('unmatched-line');
      await press(visitor, 'Show');
      const first = await items(visitor).count();
      expect(first).to.equal(20);
      await press(visitor, 'Later items');
      expect(await items(visitor).count()).to.equal(LINES - first);
      expect(await page.locator('select[name=state]').inputValue()).to.equal('unmatched-line');
      await expectFit(visitor);
      await press(visitor, 'First page');
      expect(await items(visitor).count()).to.equal(first);
    }
  });

  it('leads from the list of bank files to the lines of an account', async () => {
    for (const visitor of visitors) {
      await visitor.open(PAGE);
      await visitor.page.getByText('Bank files: which accounts').click();
      await expectFit(visitor);
      await press(visitor, ACCOUNT);
      expect(await items(visitor).count()).to.equal(20);
      expect(await visitor.page.locator('select[name=account]').inputValue()).to.equal(ACCOUNT);
    }
  });

  it('is what the file has, too', async () => {
    for (const visitor of visitors) {
      const { page } = visitor;
      await search(visitor, ORDER);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV', exact: true }).click(),
      ]);
      const rows = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
        .slice(1);
      expect(rows.map((row) => `item-${row.split('"')[1] ?? ''}`)).to.deep.equal([
        await items(visitor).getAttribute('id'),
      ]);
      expect(file.suggestedFilename()).not.to.match(TELLTALES);
    }
  });

  it('is what one comes back to from a decision, from one without its reason, and from taking it back', async () => {
    for (const visitor of visitors) {
      const { page } = visitor;
      await search(visitor, ORDER);
      const id = await items(visitor).getAttribute('id');
      // The browser would ask for the reason by itself.
      await page.evaluate(`document.querySelector('input[name=note]').removeAttribute('pattern')`);
      await page.locator('input[name=note]').fill(' ');
      await press(visitor, 'Off the list');
      expect(page.url()).to.match(/search\?unsaid=[0-9a-f]{40}&as=explain#note-/);
      expect(await items(visitor).innerText()).to.include('Nothing was decided: say why');
      await page.locator('input[name=note]').fill('paid at the till');
      await press(visitor, 'Off the list');
      expect(page.url()).to.match(/search\?decided=[0-9a-f]{40}&as=explain/);
      expect(await page.locator('.decided').innerText()).to.include(
        'Taken off the list: 100.00 INR of order of-kiran.',
      );
      expect(await items(visitor).innerText()).to.include('Explained');
      await page.locator('.decided button').click();
      await page.waitForURL(`**${SEARCH}#${id}`);
      expect(await items(visitor).getAttribute('id')).to.equal(id);
      expect(await items(visitor).innerText()).not.to.include('Explained');
      expect(await page.locator('.filters input[name=text]').inputValue()).to.equal(ORDER);
    }
  });

  it('decides nothing again where the page that came behind a decision is loaded again', async () => {
    const cookie = await scene.cookie('full');
    const found = await searchMatch(scene.url, cookie, { text: ORDER });
    const itemId = /id="item-([0-9a-f]{40})"/.exec(found.text)?.[1] ?? '';
    const fields = { token: hiddenField(found, 'token'), back: `text=${ORDER}`, note: 'once', decision: 'explain' };
    const { status, headers } = await sendForm(scene.url, `${PAGE}/${itemId}/decision`, fields, { cookie });
    expect([status, headers.location]).to.deep.equal([307, `${SEARCH}?decided=${itemId}&as=explain`]);
    const decisions = async (): Promise<number> =>
      (await scene.api('/v1/audit?type=MatchDecided')).text.split('"note":"once"').length - 1;
    const before = await decisions();
    for (const _ of [1, 2]) {
      const again = await sendForm(scene.url, headers.location ?? '', fields, { cookie });
      expect(again.status).to.equal(200);
      expect(again.text).to.include('Taken off the list').and.include(`id="item-${itemId}"`);
    }
    expect(await decisions()).to.equal(before);
  });

  it('stands in the URL where it names nobody, to be kept and passed on', async () => {
    for (const visitor of visitors) {
      await visitor.open(PAGE);
      await visitor.page.locator('select[name=state]').selectOption('unmatched-line');
      await visitor.page.getByRole('button', { name: 'Show' }).click();
      await visitor.page.waitForURL(`**${PAGE}?state=unmatched-line`);
      await visitor.page.getByRole('link', { name: 'Later items' }).click();
      await visitor.page.waitForURL(/cursor=/);
    }
  });

  it('is taken from no URL, and where it is wrong it stays in its form', async () => {
    for (const path of [PAGE, '/console/files/reconciliation'])
      for (const name of ['text', 'account']) {
        const { status, text } = await scene.ask(
          `${path}?format=csv&${name}=x`.replace(`${PAGE}?format=csv&`, `${PAGE}?`),
          'full',
        );
        expect([status, text.includes('invalid-parameter')], `${path} ${name}`).to.deep.equal([400, true]);
      }
    const wrong = await searchMatch(scene.url, await scene.cookie('full'), { text: ORDER, from: 'yesterday' });
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.include(`value="${ORDER}"`);
  });

  it('is taken from the form of this session and console alone, and shown to who may see the match', async () => {
    const cookie = await scene.cookie('full');
    const token = hiddenField(await scene.ask(PAGE, 'full'), 'token');
    for (const path of [SEARCH, '/console/files/reconciliation']) {
      const statusOf = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
        (await sendForm(scene.url, path, { format: 'csv', text: 'of-kiran', ...fields }, headers)).status;
      expect(await statusOf({ token }, { cookie }), path).to.equal(200);
      expect(await statusOf({}, { cookie }), 'without its token').to.equal(403);
      expect(await statusOf({ token: 'x' }, { cookie }), 'with another').to.equal(403);
      const asked = await sendForm(scene.url, path, { token, text: ORDER }, {});
      expect(asked.text, 'without a session').to.include('Sign in').and.not.include(ORDER);
      expect(await statusOf({ token }, { cookie, 'sec-fetch-site': 'cross-site' }), 'from elsewhere').to.equal(403);
      const orders = await scene.cookie('orders');
      const theirs = hiddenField(await scene.ask('/console/orders', 'orders'), 'token');
      expect(await statusOf({ token: theirs }, { cookie: orders }), 'without reports:read').to.equal(403);
    }
  });
});

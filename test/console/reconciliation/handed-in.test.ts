import { expect } from 'chai';
import { openBrowser, type TestBrowser, type Visitor } from '../../support/browser/browser.ts';
import { keyText } from '../console-keys.ts';
import { consoleScene, type ConsoleScene } from '../console-scene.ts';
import { handIn, readAs } from '../hand-in.ts';
import { hiddenField, sendForm, signedInCookie } from '../sign-in.ts';

const PAGE = '/console/reconciliation';
const ACCOUNT = 'KIRAN-SAVINGS-4711';
/** Banks name their files after the account. */
const NAME = 'kiran 4711 march.csv';
const CSV = ['Date;Narration;Ref;Paid out;Paid in', '10/03/2026;PAYOUT;UTR000000001;100,00;', ''].join('\r\n');

/** What would be found in an address, however it is escaped there. */
const TELLTALES = /kiran|4711/i;

describe('a bank file that is handed in at the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitors: readonly Visitor[] = [];
  /** Addresses that the browser asked for, and those that it said it came from. */
  const addresses: string[] = [];
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    const cookie = await scene.cookie('full');
    visitors = await Promise.all([
      browser.visitor({ url: scene.url, cookie }),
      browser.visitor({ url: scene.url, cookie, scripts: false }),
    ]);
    for (const { page } of visitors)
      page.on('request', (request) => {
        addresses.push(request.url(), request.headers()['referer'] ?? '');
      });
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const mainText = async ({ page }: Visitor): Promise<string> =>
    (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');

  const handed = async (key: 'full' | 'masked'): Promise<string> => {
    const { headers } = await handIn(scene.url, await scene.cookie(key), { name: NAME, content: CSV });
    return String(headers['location']);
  };

  for (const [place, how] of ['with scripts', 'without them'].entries())
    it(`has neither its name nor an account in a URL, is read again, loaded again, gone back to and imported, ${how}`, async () => {
      const visitor = visitors[place] ?? expect.fail('nobody to visit');
      addresses.splice(0);
      const { page, open } = visitor;
      await open(PAGE);
      const file = { name: NAME, mimeType: 'text/csv', buffer: Buffer.from(CSV) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.waitForURL(/\/import\/[0-9a-f]{64}$/);
      await page.reload();
      expect(await mainText(visitor))
        .to.include(NAME)
        .and.include('refused whole');
      await page.locator('.reading input[name=account]').fill(ACCOUNT);
      await page.locator('.reading input[name=currency]').fill('INR');
      await page.getByRole('button', { name: 'Read it like this' }).click();
      await page.waitForURL(/\/import\/[0-9a-f]{64}\/reading$/);
      await page.reload();
      expect(await mainText(visitor))
        .to.include(NAME)
        .and.include(`${ACCOUNT} INR`);
      expect(await page.locator('.reading input[name=account]').inputValue()).to.equal(ACCOUNT);
      await page.goBack();
      await page.waitForURL(/\/import\/[0-9a-f]{64}$/);
      expect(await mainText(visitor)).to.include(NAME);
      await page.locator('.reading input[name=account]').fill(ACCOUNT);
      await page.locator('.reading input[name=currency]').fill('INR');
      await page.getByRole('button', { name: 'Read it like this' }).click();
      await page.getByRole('button', { name: 'Import 1 line' }).click();
      await page.waitForURL(/imported=/);
      expect(await mainText(visitor)).to.match(/kiran 4711 march\.csv (is imported|was imported before)/);
      visitor.expectPeace();
      expect(addresses.filter((address) => TELLTALES.test(address))).to.deep.equal([]);
      const { out, requests } = scene.logged();
      // Ids of requests are of chance, and have any digits.
      const said = (out + JSON.stringify(requests)).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
      expect(said).not.to.match(TELLTALES);
      expect(requests.map(({ route }) => route)).to.include(`${PAGE}/import/:statementId/reading`);
    }).timeout(60_000);

  it('is read from no URL, and by the address of a reading it is shown as it is read by itself', async () => {
    const path = await handed('full');
    for (const parameter of ['account=x', 'name=x', 'currency=INR', 'use0=date'])
      expect((await scene.ask(`${path}?${parameter}`, 'full')).status, parameter).to.equal(400);
    const { status, headers } = await scene.ask(`${path}/reading`, 'full');
    expect([status, headers.location]).to.deep.equal([303, path]);
  });

  it('is read for the form of this session and console alone, with what its reader may see', async () => {
    const path = await handed('full');
    const cookie = await scene.cookie('full');
    const token = hiddenField(await scene.ask(path, 'full'), 'token');
    const statusOf = async (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
      (await sendForm(scene.url, `${path}/reading`, { account: ACCOUNT, ...fields }, headers)).status;
    expect(await statusOf({ token }, { cookie })).to.equal(200);
    expect(await statusOf({}, { cookie }), 'without its token').to.equal(403);
    expect(await statusOf({ token: 'x' }, { cookie }), 'with another').to.equal(403);
    expect(await statusOf({ token }, { cookie, 'sec-fetch-site': 'cross-site' }), 'from elsewhere').to.equal(403);
    const other = await signedInCookie(scene.url, keyText('full'));
    const theirs = hiddenField(await scene.ask(PAGE, 'full'), 'token');
    expect(await statusOf({ token: theirs }, { cookie: other }), 'with the token of another session').to.equal(403);
    const reports = await scene.cookie('reports');
    expect(await statusOf({ token }, { cookie: reports }), 'without statements:write').to.equal(403);
    const masked = await scene.cookie('masked');
    const { text } = await readAs(scene.url, masked, await handed('masked'), { account: ACCOUNT, currency: 'INR' });
    expect(text).to.include('how many of them are new is told when they are imported');
  });
});

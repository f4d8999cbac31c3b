import { expect } from 'chai';
import * as t from 'io-ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectAccessible } from '../support/browser/axe.ts';
import { expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { exchange } from '../support/exchange.ts';
import { right } from '../support/right.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { hiddenField, sendForm } from './sign-in.ts';

const Documented = t.type({ paths: t.record(t.string, t.unknown) });

/** What a browser says that it likes when it opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('errors', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitor: Visitor;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    visitor = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full') });
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  it('are JSON for programs, whatever they accept, and pages for whoever opens an address in a browser', async () => {
    for (const [path, status, code] of [
      ['/nothing/here', 404, 'not-found'],
      ['/v1/orders/x', 401, 'unauthorized'],
      ['/v1/webhooks', 405, 'method-not-allowed'],
    ] as const) {
      for (const accept of [
        undefined,
        `${BROWSER},text/${'x'.repeat(1_000)}`,
        '*/*',
        'application/json',
        'application/json, text/html;q=0.9',
        'text/csv',
      ]) {
        const answer = await exchange(scene.url, { path, headers: accept === undefined ? {} : { accept } });
        expect([answer.status, answer.headers['content-type']], `${path} ${accept}`).to.deep.equal([
          status,
          'application/problem+json',
        ]);
        expect(JSON.parse(answer.text)).to.include({ code, status });
      }
      const page = await exchange(scene.url, { path, headers: { accept: BROWSER } });
      expect([page.status, page.headers['content-type']], path).to.deep.equal([status, 'text/html; charset=utf-8']);
      expect(page.text).to.include(code).and.include(String(page.headers['x-request-id']));
      expect(page.headers['content-security-policy']).to.match(/^default-src 'none'; script-src 'nonce-/);
    }
    const posted = await exchange(scene.url, { method: 'POST', path: '/v1/orders', headers: { accept: BROWSER } });
    expect(posted.headers['content-type']).to.equal('application/problem+json');
  });

  it('have a way on', async () => {
    expect(await visitor.open('/nothing/here')).to.equal(404);
    expect(await visitor.page.locator('h1').innerText()).to.equal('Not found');
    await expectAccessible(visitor.page);
    await expectNoSidewaysScroll(visitor.page);
    await visitor.page.getByRole('link', { name: 'Go to the overview' }).click();
    await visitor.page.waitForURL(`${scene.url}/`);
    visitor.expectPeace();
  });

  it('of a form show it again with what was typed', async () => {
    for (const [path, name, typed] of [
      ['/console/orders?from=yesterday&currency=INR&chainId=12x', 'currency', 'INR'],
      ['/console/orders?from=yesterday&currency=INR', 'from', 'yesterday'],
      ['/console/audit?from=last+week&q=abc', 'from', 'last week'],
      ['/console/reports/offramp?to=2026-02-31', 'to', '2026-02-31'],
    ] as const) {
      expect(await visitor.open(path), path).to.equal(400);
      const field = visitor.page.locator(`form.filters [name="${name}"]`);
      expect(await field.getAttribute('value'), path).to.equal(typed);
    }
    await visitor.page.locator('form.filters').waitFor();
    visitor.expectPeace();
  });

  it('of an order that came in no readable delivery lead to what came in its name, for whoever may see that', async () => {
    await scene.deliver([[{ orderId: 'never-read/1', status: 'completed' }]]);
    const path = `/console/orders/${encodeURIComponent('never-read/1')}`;
    expect(await visitor.open(path)).to.equal(404);
    await visitor.page.getByRole('link', { name: 'look for what came in its name' }).click();
    await visitor.page.waitForURL(`${scene.url}/console/audit?q=never-read%2F1`);
    await visitor.page.locator('table.trail').getByText('never-read/1').first().waitFor();
    visitor.expectPeace();
    const unseen = await scene.ask(path, 'orders');
    expect(unseen.status).to.equal(404);
    expect(unseen.text).to.not.include('what came in its name');
  });

  it('of a search for what came in no readable delivery lead there too, but not by an address with an e-mail', async () => {
    await scene.deliver([[{ orderId: 'never-read/2', status: 'completed' }]]);
    await visitor.open('/console/orders');
    await visitor.page.locator('#search').fill('never-read/2');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByText('Nothing found').waitFor();
    await visitor.page.getByRole('link', { name: 'look for what came in its name' }).click();
    await visitor.page.waitForURL(`${scene.url}/console/audit?q=never-read%2F2`);
    await visitor.page.locator('table.trail').getByText('never-read/2').first().waitFor();
    visitor.expectPeace();
    const found = async (q: string, key: 'full' | 'orders'): Promise<string> => {
      const token = hiddenField(await scene.ask('/console/orders', key), 'token');
      return (await sendForm(scene.url, '/console/search', { token, q }, { cookie: await scene.cookie(key) })).text;
    };
    expect(await found('never-read/2', 'orders'), 'who may not see the audit')
      .to.include('Nothing found')
      .and.to.not.include('what came in its name');
    expect(await found('asha@example.com', 'full'))
      .to.include('Nothing found')
      .and.to.not.include('what came in its name');
  });

  it('of a search leave its words in the box, as its answers do', async () => {
    await visitor.open('/console/orders');
    await visitor.page.locator('#search').fill('nobody knows this');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByText('Nothing found').waitFor();
    expect(await visitor.page.locator('#search').inputValue()).to.equal('nobody knows this');
    visitor.expectPeace();
  });
});

describe('/docs', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  it('is dark in the dark, and follows a change', async () => {
    const { page, open, close } = await browser.visitor({ url: scene.url, theme: 'dark' });
    await open('/docs');
    await page.locator('.swagger-ui .info .title').waitFor();
    await page.locator('html.dark-mode').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    await close();
  });

  it('says without scripts where the document is', async () => {
    const { page, open, close } = await browser.visitor({ url: scene.url, scripts: false });
    await open('/docs');
    expect(await page.locator('noscript, body').first().innerText()).to.include('/openapi.json');
    await close();
  });

  it('lists no file of its own', async () => {
    const answer = await exchange(scene.url, { path: '/openapi.json' });
    const document = right(Documented.decode(JSON.parse(answer.text)));
    expect(Object.keys(document.paths)).to.include('/docs').and.to.not.include('/docs/start.js');
  });
});

import { expect } from 'chai';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { exchange } from '../support/exchange.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { within } from '../support/within.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

/** As long as a page waits at the most between two looks, and a margin. */
const SOON_MS = 15_000;

/** Leaves a mark on an element, which is gone when another takes its place. */
const marking = (selector: string, name: string): string =>
  `document.querySelector('${selector}').setAttribute('${name}', 'yes')`;

const FOLLOWED = 'live-followed';
const OTHER = 'live-other';

describe('live pages of the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    await scene.deliver([
      [offRamp({ orderId: FOLLOWED, status: 'pending' })],
      [onRamp({ orderId: OTHER, status: 'fiatPending' })],
    ]);
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const visit = async (path: string): Promise<Visitor> => {
    const visitor = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full') });
    const stands = visitor.page.waitForResponse((response) => response.url().includes('/console/live'));
    await visitor.open(path);
    expect((await stands).headers()['content-type']).to.include('text/event-stream');
    return visitor;
  };

  const statusOf = ({ page }: Visitor) => page.locator('.headline');

  it('show what comes, of their own order only', async () => {
    const visitor = await visit(`/console/orders/${FOLLOWED}`);
    await visitor.page.evaluate(marking('main', 'data-first'));
    await visitor.page.evaluate(marking('h1', 'data-old'));
    // A page that follows all orders, and was opened later, tells when this one would have shown the other order's event.
    const all = await visit('/console/orders');
    await all.page.evaluate(marking('h1', 'data-old'));
    await scene.deliver([[onRamp({ orderId: OTHER, status: 'orderReceived' })]]);
    await all.page.locator('h1:not([data-old])').waitFor({ timeout: SOON_MS });
    await all.close();
    expect(await visitor.page.locator('h1[data-old]').count()).to.equal(1);
    await scene.deliver([[offRamp({ orderId: FOLLOWED, status: 'orderReceived' })]]);
    await visitor.page.locator('h1:not([data-old])').waitFor({ timeout: SOON_MS });
    expect(await statusOf(visitor).innerText()).to.include('orderReceived');
    // Only what stands in it was replaced: the page was not loaded again.
    expect(await visitor.page.locator('main').getAttribute('data-first')).to.equal('yes');
    visitor.expectPeace();
    await visitor.close();
  }).timeout(60_000);

  it('change nothing under the hands of who is busy with them, and offer it', async () => {
    const visitor = await visit(`/console/orders/${FOLLOWED}`);
    await visitor.page.locator('main summary').first().click();
    await scene.deliver([[offRamp({ orderId: FOLLOWED, status: 'CryptoReceived' })]]);
    await visitor.page.locator('#news').waitFor({ state: 'visible', timeout: SOON_MS });
    expect(await statusOf(visitor).innerText()).to.include('orderReceived');
    await visitor.page.locator('#news button').click();
    await visitor.page.locator('.headline', { hasText: 'CryptoReceived' }).waitFor({ timeout: SOON_MS });
    visitor.expectPeace();
    await visitor.close();
  }).timeout(60_000);

  it('of lists include what they were told of', async () => {
    for (const path of ['/console/orders', '/']) {
      const visitor = await visit(path);
      const orderId = `live-new-${path.length}`;
      await visitor.page.evaluate(marking('h1', 'data-old'));
      await scene.deliver([[onRamp({ orderId, status: 'fiatPending' })]]);
      await visitor.page.locator('h1:not([data-old])').waitFor({ timeout: SOON_MS });
      if (path !== '/') expect(await visitor.page.locator('main').innerText()).to.include(orderId);
      visitor.expectPeace();
      await visitor.close();
    }
  }).timeout(60_000);

  it('do not follow where they show the past, a further page, or to whom may not see orders', async () => {
    for (const [path, key] of [
      [`/console/orders/${FOLLOWED}?revision=0`, 'full'],
      ['/console/audit', 'full'],
      ['/', 'reports'],
    ] as const) {
      expect((await scene.ask(path, key)).text, `${path} as ${key}`).to.not.include('data-live');
    }
    expect((await scene.ask('/console/live', 'reports')).status).to.equal(403);
  });

  it('go on behind what they include, not where the stream begins', async () => {
    const [, after = ''] = /data-after="([^"]+)"/.exec((await scene.ask('/console/orders', 'full')).text) ?? [];
    await scene.deliver([[onRamp({ orderId: 'live-between', status: 'fiatPending' })]]);
    const headers = { cookie: await scene.cookie('full') };
    const stream = await fetch(`${scene.url}/console/live?after=${after}`, { headers });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = '';
    const untilTold = async (): Promise<void> => {
      while (!told.includes('order-live-between')) told += (await reader?.read())?.value ?? '';
    };
    await within(SOON_MS, untilTold(), 'the event in between');
    await reader?.cancel();
  });

  it('are asked for with a position that they must include, which only this ledger gives', async () => {
    const headers = { cookie: await scene.cookie('full'), 'X-Position': 'of-another-ledger' };
    expect((await exchange(scene.url, { path: '/console/orders', headers })).status).to.equal(400);
  });

  it('end with the session: nobody who has signed out is told anything', async () => {
    const visitor = await browser.visitor({ url: scene.url });
    const answer = await visitor.page.request.get(`${scene.url}/console/live`);
    expect(answer.headers()['content-type']).to.include('text/html');
    await visitor.close();
  });
});

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectAccessible } from '../support/browser/axe.ts';
import { expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { keyText } from './console-keys.ts';
import {
  BULK,
  deliveredOrders,
  FACTS,
  HANGING,
  OFF_RAMP,
  ON_RAMP,
  TROUBLED,
  UNREADABLE_BODIES,
} from './console-orders.ts';
import { orderPage } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { cellsOf, expectAddsUp } from './report-links.ts';

describe('somebody with a question, at the console', () => {
  const orders = deliveredOrders(Date.now());
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitor: Visitor;
  let plain: Visitor;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    await scene.deliver([...orders, UNREADABLE_BODIES]);
    const cookie = await scene.cookie('full');
    visitor = await browser.visitor({ url: scene.url, cookie });
    plain = await browser.visitor({ url: scene.url, cookie, scripts: false });
    await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterEach(() => {
    visitor.expectPeace();
    plain.expectPeace();
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const headingOf = ({ page }: Visitor): Promise<string> => page.locator('h1').innerText();

  it('comes from whatever is known of an order to the order in two steps: typed behind a slash, and Enter', async () => {
    const known = [
      [ON_RAMP, ON_RAMP],
      [FACTS.txnHash, ON_RAMP],
      [FACTS.wallet, ON_RAMP],
      [FACTS.utr, OFF_RAMP],
      [FACTS.transactionId, OFF_RAMP],
      [FACTS.hangingUtr, HANGING],
      [FACTS.hangingReference, HANGING],
      [FACTS.hangingEmail.toUpperCase(), HANGING],
      ['90000 12345', HANGING],
      [`+91 ${FACTS.hangingPhone.number}`, HANGING],
      [`  ${HANGING} `, HANGING],
    ] as const;
    for (const [typed, orderId] of known) {
      await visitor.open('/console/orders');
      await visitor.page.keyboard.press('/');
      await visitor.page.keyboard.insertText(typed);
      await visitor.page.keyboard.press('Enter');
      await visitor.page.waitForURL(`${scene.url}${orderPage(orderId)}`);
      expect(await headingOf(visitor)).to.equal(orderId);
      expect(await visitor.page.locator('#search').inputValue(), 'the term stays').to.equal(typed);
    }
    await plain.open('/console/reports/onramp');
    await plain.page.locator('#search').fill(FACTS.utr);
    await plain.page.keyboard.press('Enter');
    await plain.page.waitForURL(`${scene.url}${orderPage(OFF_RAMP)}`);
  });

  it('sees on the page of an order whose payout hangs what is paid out, and since when it is unconfirmed', async () => {
    await plain.open(orderPage(HANGING));
    const payout = await plain.page.locator('.payouts').innerText();
    expect(payout)
      .to.include('5023.50 INR')
      .and.to.include(FACTS.hangingUtr)
      .and.to.match(/since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, \d+ d/);
  });

  it('is told above a list how many orders it has and what they come to, and by an empty one what excludes them', async () => {
    await plain.open('/console/orders?flow=onramp&currency=INR');
    const total = await plain.page.locator('.total').innerText();
    expect(total).to.match(/^\d+\s+orders?\s+[\d.]+\s+INR$/);
    await plain.open('/console/orders?flow=onramp&status=PayoutSuccess');
    expect(await plain.page.locator('.nothing').innerText()).to.match(/Without the flow: \d+ orders?/);
    await plain.page
      .getByRole('link', { name: /^\d+ orders?$/ })
      .last()
      .click();
    await plain.page.waitForSelector('.total');
  });

  it('has last month of a flow in three steps, under a heading that says all of it', async () => {
    await plain.open('/');
    await plain.page.getByRole('link', { name: 'Reports' }).click();
    await plain.page.getByRole('link', { name: 'Off-ramp' }).click();
    await plain.page.getByRole('link', { name: 'Last month' }).click();
    await plain.page.waitForURL(/range=last-month/);
    const heading = await plain.page.locator('.report-of').innerText();
    expect(heading).to.match(/^Off-ramp, created 1 to \d\d \w+ \d{4}, /);
    for (const name of ['Workbook (XLSX)', 'Both flows (XLSX)']) {
      const href = await plain.page.getByRole('link', { name }).getAttribute('href');
      expect(href, name).to.match(/from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d/);
    }
  });

  it('chooses currency, token and chain from those that orders have, and keeps one that none has', async () => {
    await plain.open('/console/orders?currency=inr&chainId=137');
    const [currency, chain] = [plain.page.locator('select[name=currency]'), plain.page.getByLabel('Chain')];
    expect([await currency.inputValue(), await chain.inputValue()]).to.deep.equal(['INR', '137']);
    expect(await chain.innerText()).to.include('Polygon (137)');
    expect(await plain.page.getByLabel('Token').innerText()).to.include('MATIC');
    await currency.selectOption({ label: 'Any' });
    await plain.page.getByRole('button', { name: 'Show' }).click();
    await plain.page.waitForURL(/currency=&/);
    await plain.open('/console/orders?currency=XXX&status=neverSeen');
    expect(await currency.inputValue()).to.equal('XXX');
    expect(await plain.page.locator('.nothing').innerText()).to.include(
      'even alone, the status and the currency would find none',
    );
    await plain.open('/console/orders?from=2026-02-01&to=2026-01-31');
    expect(await plain.page.locator('.nothing').innerText()).to.include('The first day is later than the last one.');
  });

  it('sees in two steps what is refused and why, with what the pattern points at and no body', async () => {
    const body = onRamp({ orderId: 'refused-1', note: 'of nobody' });
    expect((await deliver(scene.url, body, { signature: '0'.repeat(64) })).status).to.equal(401);
    const written = Buffer.from(JSON.stringify(onRamp({ orderId: 'rewritten-1' }), null, 2));
    const signature = signatureOf(Buffer.from(JSON.stringify(JSON.parse(written.toString()))));
    expect((await deliver(scene.url, written, { signature })).status).to.equal(401);
    await plain.open('/console/health');
    expect(await plain.page.locator('main').innerText()).to.match(/2 deliveries were refused in the last day/);
    await plain.page.getByRole('link', { name: 'Refused deliveries' }).click();
    await plain.page.waitForURL(/console\/refused/);
    const text = await plain.page.locator('main').innerText();
    expect(text)
      .to.include('refused-1')
      .and.to.include('Your proxy changes the body')
      .and.to.match(/signature-mismatch\s+(?:127\.0\.0\.1|::1)/)
      .and.not.include('of nobody');
  });

  it('is told of a conflict what it says otherwise, and against which event', async () => {
    await plain.open(orderPage(TROUBLED));
    const attention = await plain.page.locator('.attention').innerText();
    expect(attention).to.match(/Event 1 against event 0: fiat [\d.]+ → 77/);
    expect(await plain.page.locator('#revision-1 details').getAttribute('open')).to.equal('');
  });

  it('finds the currencies in one order on the whole overview, and today marked as not over', async () => {
    await plain.open('/');
    const settled = await plain.page.locator('section', { hasText: 'Yesterday' }).locator('tbody tr').allInnerTexts();
    for (const flow of ['On-ramp', 'Off-ramp']) {
      const heading = plain.page.getByRole('heading', { name: `${flow}, created` });
      const charts = await plain.page.locator('section', { has: heading }).locator('figure.chart').all();
      const units = await Promise.all(charts.map((chart) => chart.getAttribute('data-unit')));
      const listed = settled.flatMap((row) => (row.startsWith(`${flow}\t`) ? [row.split('\t')[1] ?? ''] : []));
      expect(listed.length, settled.join('|')).to.be.greaterThan(1);
      const drawn = units.filter((unit) => listed.includes(unit ?? ''));
      expect(drawn, flow).to.deep.equal(listed.filter((unit) => units.includes(unit)));
      for (const chart of charts) {
        expect(await chart.getAttribute('data-unfinished')).to.match(/^\d{4}-\d\d-\d\d$/);
      }
    }
    expect(await plain.page.locator('.key').first().innerText()).to.include('Today, not over yet');
  });

  it('prints a report with its heading and period, its totals once, and nothing to press', async () => {
    await plain.open('/console/reports/offramp?groupBy=day&range=all');
    await plain.page.emulateMedia({ media: 'print' });
    for (const hidden of ['.filters', '.tabs', '.downloads', '.top nav', '.search']) {
      expect(await plain.page.locator(hidden).first().isVisible(), hidden).to.equal(false);
    }
    expect(await plain.page.locator('.report-of').isVisible()).to.equal(true);
    const styles = await plain.page.evaluate(
      `[getComputedStyle(document.body).page, getComputedStyle(document.querySelector('tfoot')).display]`,
    );
    expect(styles).to.deep.equal(['wide', 'table-row-group']);
    await plain.page.emulateMedia({ media: 'screen' });
  });

  it('reads the history of an order as it arrived, and by the time of the provider', async () => {
    await plain.open(orderPage(TROUBLED));
    expect(await plain.page.locator('#revision-1').innerText()).to.include('contradicts event 0: not counted');
    await plain.page.getByRole('link', { name: "By the provider's time" }).click();
    await plain.page.waitForURL(/history=provider/);
    expect(await plain.page.locator('.timeline > li').count()).to.be.greaterThan(3);
  });

  it('goes from row to row with j and k, and opens one with Enter', async () => {
    await visitor.open('/console/orders');
    const ids = await visitor.page.locator('tbody a.id').allInnerTexts();
    for (const key of ['j', 'j', 'j', 'k']) await visitor.page.keyboard.press(key);
    expect(await visitor.page.locator(':focus').innerText()).to.equal(ids[1]);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.waitForURL(`${scene.url}${orderPage(ids[1] ?? '')}`);
  });

  it('reads the exact amounts of a day off a chart, and opens its orders', async () => {
    await visitor.open('/console/reports/offramp?groupBy=day&range=all');
    const charts = await visitor.page.locator('figure.chart').count();
    await visitor.page.waitForSelector(`figure.chart:nth-of-type(1) canvas`);
    expect(charts).to.be.greaterThan(0);
    expect(await visitor.page.locator('figure.chart canvas').count()).to.equal(charts);
    const figures = await visitor.page.locator('figure.chart').all();
    const periods = await figures[0]?.getAttribute('data-periods');
    const last = periods?.split(' ').at(-1) ?? '';
    // On the last day there are orders of some currency, not of each.
    const keys = await Promise.all(figures.map((figure) => figure.getAttribute('data-key')));
    const counts = await Promise.all(
      keys.map((key) => visitor.page.locator(`tr[data-period="${last}"][data-key="${key}"]`).count()),
    );
    const chart = visitor.page.locator('figure.chart').nth(counts.findIndex((count) => count > 0));
    const box = await chart.locator('.u-over').boundingBox();
    expect(box?.width).to.be.greaterThan(100);
    const place = { x: (box?.width ?? 0) - 8, y: (box?.height ?? 0) / 2 };
    await chart.locator('.u-over').hover({ position: place });
    const said = await chart.locator('.readout').innerText();
    expect(said)
      .to.include(last)
      .and.to.match(/\d+\.\d/);
    const amounts = said.match(/\d+\.\d+/g) ?? [];
    const rows = await visitor.page.locator(`tr[data-period="${last}"]`).allInnerTexts();
    for (const amount of amounts)
      expect(
        rows.some((row) => row.includes(amount)),
        amount,
      ).to.equal(true);
    await chart.locator('.u-over').click({ position: place });
    await visitor.page.waitForURL(/console\/orders\?/);
    expect(visitor.page.url()).to.include(`from=${last}`);
  });

  it('reads charts off in a browser whose language is none', async () => {
    const other = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full') });
    await other.page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C.UTF-8@none' });
    });
    await other.open('/console/reports/offramp?groupBy=day&range=all');
    await other.page.waitForSelector('figure.chart canvas');
    other.expectPeace();
    await other.close();
  });

  it('types a slash into a field where a field has the focus', async () => {
    await visitor.open('/console/orders');
    await visitor.page.locator('input[name=asOf]').focus();
    await visitor.page.keyboard.press('/');
    expect(await visitor.page.locator('input[name=asOf]').inputValue()).to.equal('/');
  });

  it('finds all orders of a customer, and never has an e-mail address in the URL', async () => {
    for (const someone of [visitor, plain]) {
      await someone.open('/console/orders');
      await someone.page.locator('#search').fill(FACTS.email);
      await someone.page.keyboard.press('Enter');
      await someone.page.waitForURL(`${scene.url}/console/search`);
      const first = await someone.page.locator('tbody a.id').allInnerTexts();
      await someone.page.getByRole('button', { name: 'Older orders' }).click();
      await someone.page.waitForSelector('text=Older orders', { state: 'detached' });
      const more = await someone.page.locator('tbody a.id').allInnerTexts();
      expect(someone.page.url()).to.equal(`${scene.url}/console/search`);
      const theirs = orders.filter(([payload]) => JSON.stringify(payload).includes(FACTS.email)).length;
      expect(first.length + more.length, 'of a page and the next').to.be.greaterThan(50);
      expect(new Set([...first, ...more]).size).to.equal(theirs);
    }
  }).timeout(60_000);

  it('is told what a search finds by, where it found nothing', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await visitor.page.emulateMedia({ colorScheme: theme });
      for (const [words, expected] of [
        ['nobody knows this', 'Nothing found'],
        [FACTS.customerId, 'Orders with'],
      ] as const) {
        await visitor.page.locator('#search').fill(words);
        // The answer to the search before has the same address: it is the next page that is waited for.
        const loaded = visitor.page.waitForEvent('load');
        await visitor.page.keyboard.press('Enter');
        await loaded;
        await visitor.page.waitForSelector(`text=${expected}`);
        await expectAccessible(visitor.page);
        await expectNoSidewaysScroll(visitor.page);
      }
    }
  });

  it('goes through the list page by page, the filters kept, and comes back to its first page', async () => {
    await plain.open('/console/orders');
    await plain.page.locator('select[name=flow]').selectOption('onramp');
    await plain.page.getByRole('button', { name: 'Show' }).click();
    await plain.page.waitForURL(/flow=onramp/);
    const seen: string[] = await plain.page.locator('tbody a.id').allInnerTexts();
    const onRamp = orders.filter(([payload]) => payload?.['eventType'] === 'onramp').length;
    expect(seen).to.have.lengthOf(Math.min(50, onRamp));
    await plain.open('/console/orders');
    const first = await plain.page.locator('tbody a.id').allInnerTexts();
    await plain.page.getByRole('link', { name: 'Older orders' }).click();
    await plain.page.waitForURL(/cursor=/);
    const older = await plain.page.locator('tbody a.id').allInnerTexts();
    expect(new Set([...first, ...older]).size).to.equal(orders.length);
    expect(orders.length).to.be.greaterThan(BULK);
    await plain.page.getByRole('link', { name: 'First page' }).click();
    await plain.page.waitForURL((url) => !url.search.includes('cursor='));
    expect(await plain.page.locator('tbody a.id').allInnerTexts()).to.deep.equal(first);
  });

  it('opens any figure of the overview and of a report, and its orders add up to it to the last digit', async () => {
    let figures = 0;
    const reports = [
      '/',
      '/console/reports/onramp?range=all',
      '/console/reports/offramp?range=last-month',
      '/console/reports/offramp',
      '/console/reports/offramp?range=all',
      '/console/reports/offramp?basis=settled&groupBy=month,token,chain&range=all',
    ];
    for (const path of reports) {
      await plain.open(path);
      const cells = await cellsOf(plain.page);
      for (const cell of cells) await expectAddsUp(scene, cell);
      figures += cells.length;
    }
    expect(figures).to.be.greaterThan(80);
  }).timeout(60_000);

  it('opens what needs attention, and finds as many orders or deliveries as it said', async () => {
    await plain.open('/');
    // What is open at the bank, and months, are counted where they are listed (overview/attention.test.ts).
    const listed = ['orders', 'quarantine'].map((place) => `.concerns a[href^="/console/${place}"]`).join();
    const concerns = await plain.page.locator(listed).all();
    for (const concern of concerns) {
      const said = Number(await concern.locator('strong').innerText());
      const { text } = await scene.ask(String(await concern.getAttribute('href')), 'full');
      const found = text.match(/<th scope="row">|<li>\s*<div class="line">/g)?.length;
      expect(found, await concern.innerText()).to.equal(said);
    }
    expect(concerns.length).to.be.greaterThan(5);
  });

  it('comes from an order to an event to its signed bytes, and proves them in a shell of their own', async () => {
    const body = bodyOf(
      orders.flat().find(({ orderId, status }) => orderId === OFF_RAMP && status === 'PayoutSuccess') ?? {},
    );
    await plain.open(orderPage(OFF_RAMP));
    await plain.page.locator('#revision-4').getByRole('link', { name: 'Signed bytes and proof' }).click();
    await plain.page.waitForURL(`${scene.url}${orderPage(OFF_RAMP)}/events/4`);
    expect(await plain.page.locator('pre.bytes').textContent()).to.equal(body.toString());
    expect(await plain.page.locator('.verdict').innerText()).to.equal('Signature verified');

    const folder = temporaryFolder();
    writeFileSync(join(folder.path, 'api-key'), `${keyText('full')}\n`);
    writeFileSync(join(folder.path, 'webhook-secret'), `${SECRET}\n`);
    const commands = (await plain.page.locator('pre.commands').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { cwd: folder.path });
    folder.remove();
    const [digest, signature] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    const shown = await plain.page.locator('.facts.wide').last().innerText();
    expect(signature).to.equal(signatureOf(body));
    expect(shown).to.include(`${digest}`).and.to.include(`${signature}`);
  });

  it('copies what is shown where scripts run, and is offered no button where they do not', async () => {
    const path = `${orderPage(OFF_RAMP)}/events/4`;
    await plain.open(path);
    expect(await plain.page.locator('button.copy:visible').count()).to.equal(0);
    await visitor.open(path);
    await visitor.page.getByRole('button', { name: 'Copy the commands' }).click();
    await visitor.page.waitForSelector('button:text-is("Copied")');
    const copied: unknown = await visitor.page.evaluate('navigator.clipboard.readText()');
    expect(copied).to.equal(await visitor.page.locator('pre.commands').textContent());
  });

  it('sees an order as it was as of any event, and comes back to now', async () => {
    await plain.open(orderPage(OFF_RAMP));
    await plain.page.getByRole('link', { name: 'Event 2', exact: true }).click();
    await plain.page.waitForURL(/revision=2/);
    expect(await plain.page.locator('.headline .badge').innerText()).to.equal('Crypto received CryptoReceived');
    expect(await plain.page.locator('.timeline > li').count()).to.equal(3);
    expect(await plain.page.locator('main').innerText())
      .to.include('No payout has been tried yet')
      .and.not.include(FACTS.utr);
    await plain.page.getByRole('link', { name: 'Show it as it is now' }).click();
    await plain.page.waitForURL((url) => url.search === '');
    expect(await plain.page.locator('.headline .badge').innerText()).to.equal('Paid out PayoutSuccess');
  });

  it('signs in with nothing but the keyboard, lands where they wanted to go, and signs out', async () => {
    for (const scripts of [true, false]) {
      const stranger = await browser.visitor({ url: scene.url, scripts });
      await stranger.open(`${orderPage(HANGING)}?revision=1`);
      await stranger.page.waitForSelector('#key:focus');
      await stranger.page.keyboard.insertText('not a key');
      await stranger.page.keyboard.press('Enter');
      await stranger.page.waitForSelector('text=This key is not valid.');
      await stranger.page.waitForSelector('#key:focus');
      if (scripts) await expectAccessible(stranger.page);
      await stranger.page.keyboard.insertText(keyText('orders'));
      await stranger.page.keyboard.press('Enter');
      await stranger.page.waitForURL(`${scene.url}${orderPage(HANGING)}?revision=1`);
      expect(await headingOf(stranger)).to.equal(HANGING);
      await stranger.page.getByRole('button', { name: 'Sign out' }).click();
      await stranger.page.waitForSelector('h1:text-is("Sign in")');
      expect((await stranger.page.context().cookies()).map(({ name }) => name)).to.deep.equal(['ramp-ledger-sign-in']);
      stranger.expectPeace();
      await stranger.close();
    }
  });

  it('skips to the content with the first key that they press', async () => {
    await visitor.open(orderPage(ON_RAMP));
    await visitor.page.keyboard.press('Tab');
    expect(await visitor.page.locator(':focus').innerText()).to.equal('Skip to the content');
    await visitor.page.keyboard.press('Enter');
    expect(await visitor.page.locator('main:focus').count()).to.equal(1);
  });

  it('closes a month over what they tick by name, sees what came after, and opens it again', async () => {
    const { page } = plain;
    await plain.open('/');
    await page.getByRole('link', { name: 'Periods' }).click();
    await page.waitForURL(`${scene.url}/console/periods`);
    await page.locator('tbody th a').first().click();
    await page.waitForURL(/periods\/\d{4}-\d\d$/);
    const named = await headingOf(plain);
    const month = page.url().slice(-'2026-01'.length);
    const ticks = await page.locator('input[type=checkbox]').all();
    expect(ticks.length, 'the month is not over, and some deliveries could not be read').to.be.greaterThan(1);
    for (const tick of ticks) await tick.check();
    await page.getByLabel('Why').fill('<b>as told to the auditor</b>');
    await page.getByRole('button', { name: `Close ${named}` }).click();
    await page.waitForSelector('.headline .badge:has-text("closed")');
    expect(await page.locator('main').innerText()).to.include('<b>as told to the auditor</b>');
    await scene.deliver([[onRamp({ orderId: 'after-the-close', createdAt: new Date().toISOString(), fiat: 5 })]]);
    await visitor.open(`/console/periods/${month}`);
    await expectAccessible(visitor.page);
    await expectNoSidewaysScroll(visitor.page);
    await plain.open(`/console/reports/onramp?period=${month}`);
    await page.getByRole('link', { name: 'What changed since' }).click();
    await page.getByRole('link', { name: 'after-the-close' }).first().click();
    await page.waitForURL(`${scene.url}${orderPage('after-the-close')}`);
    await plain.open(`/console/periods/${month}`);
    await page.getByLabel('Why').fill('an order was missing');
    await page.getByRole('button', { name: `Open ${named} again` }).click();
    await page.waitForSelector('.headline .badge:has-text("open")');
    expect(await page.locator('main').innerText()).to.include('reopened by full: an order was missing');
  });
});

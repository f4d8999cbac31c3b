import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { dayBefore } from '../../src/console/business-days.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { checkProofs } from '../../src/proofs/evidence/check-evidence.ts';
import { openEvidence } from '../../src/proofs/evidence/open-evidence.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { deliver } from '../support/exchange.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { readXlsxSheets } from '../support/workbook-cells.ts';
import { orderPage } from './console-pages.ts';
import { consoleScene, ZONE, type ConsoleScene } from './console-scene.ts';

const PAID = 'job-paid-1';
const HANGS = 'job-hangs-1';
/** Somebody with a payout that hangs, and an order beside it. */
const CUSTOMER = { id: 'job-customer', name: 'Vikram Shah', email: 'vikram.shah@example.com' };
const WAITING = {
  created_at: '2026-03-09T06:40:00Z',
  updated_at: '2026-03-09T06:45:00Z',
  utr: '498765432109',
  metaData: { merchantReference: 'INV-2026-0042' },
  customer: { ...CUSTOMER, phone: { countrycode: '+91', number: '9876543210' } },
};
const UNREADABLE = JSON.stringify({ ...onRamp({ orderId: 'job-unreadable-1' }), fiat: undefined });

/** What somebody does at a page, counted: a click, or a text with the Enter that sends it. */
class Hands {
  done = 0;

  async click(target: Locator): Promise<void> {
    this.done += 1;
    await target.click();
  }

  async write(target: Locator, text: string): Promise<void> {
    this.done += 1;
    await target.fill(text);
    await target.press('Enter');
  }
}

describe('a job at the console takes so many interactions', () => {
  const calendar = businessCalendar(ZONE);
  const yesterday = dayBefore(calendar.dayOf(instantOf(Date.now())), 1);
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let visitor: Visitor;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    // Noon of that day in every zone of the test.
    const paidAt = `${yesterday}T06:30:00Z`;
    const paid = (orderId: string, over: object) =>
      offRamp({ orderId, status: 'PayoutSuccess', created_at: paidAt, updated_at: paidAt, currency: 'INR', ...over });
    await scene.deliver([
      [paid(PAID, { fiat: 17_600.27, utr: '412345678901' })],
      [paid('job-paid-2', { fiat: 999.9 })],
      [paid('job-paid-euro', { fiat: 5, currency: 'EUR' })],
      [offRamp({ orderId: HANGS, status: 'fiatDeemed', ...WAITING })],
      [offRamp({ orderId: 'job-beside-1', status: 'pending', ...WAITING, utr: '', metaData: {} })],
      [UNREADABLE],
    ]);
    await scene.signed();
    const forged = { signature: '0'.repeat(64) };
    expect((await deliver(scene.url, onRamp({ orderId: 'job-refused-1' }), forged)).status).to.equal(401);
    visitor = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full'), scripts: false });
  });
  afterEach(() => visitor.expectPeace());
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const main = (): Promise<string> => visitor.page.locator('main').innerText();

  it('none to see what was paid out yesterday in INR, and one to the orders that sum to it', async () => {
    const hands = new Hands();
    await visitor.open('/');
    const row = visitor.page.getByRole('row', { name: /^Off-ramp INR/ }).first();
    const figure = row.getByRole('link', { name: /18\s?600\.17/ }).first();
    expect((await figure.innerText()).replaceAll(/\s/g, '')).to.equal('18600.17');
    expect(hands.done).to.equal(0);
    await hands.click(figure);
    await visitor.page.waitForURL(/console\/orders\?/);
    expect(new URL(visitor.page.url()).searchParams.get('from')).to.equal(yesterday);
    expect((await visitor.page.locator('.total').innerText()).replaceAll(/\s+/g, ' ')).to.match(
      /^2 orders 18 ?600\.17 INR$/,
    );
    expect(hands.done).to.equal(1);
    const { page } = visitor;
    expect(await page.locator('table.orders thead').innerText(), 'by what it is sorted').to.include(
      'newest created first',
    );
    for (const moment of await page.locator('table.orders .moment').allInnerTexts())
      expect(moment).to.match(/\d\d:\d\d.*\s+created .*\d\d:\d\d/);
    expect(await main()).to.not.include('Off-ramp orders, settled');
    await page.emulateMedia({ media: 'print' });
    expect(await main()).to.match(/Off-ramp orders, settled .+ 20\d\d, Asia\/Kolkata, phase Settled, currency INR/);
    await page.emulateMedia({ media: 'screen' });
  });

  it('none to have the position of each event on paper', async () => {
    await visitor.open('/console/audit');
    const { page } = visitor;
    await page.emulateMedia({ media: 'print' });
    const positions = page.locator('.trail summary');
    expect(await positions.count()).to.be.greaterThan(0);
    expect(await positions.first().isVisible()).to.equal(true);
    await page.emulateMedia({ media: 'screen' });
  });

  for (const [what, term] of [
    ['UTR', WAITING.utr],
    ['e-mail address', 'VIKRAM.SHAH@EXAMPLE.COM'],
    ['phone number', '+91 98765 43210'],
    ['reference', WAITING.metaData.merchantReference],
  ] as const) {
    it(`two to see why a payout hangs, by its ${what}: unconfirmed since when, and for how long`, async () => {
      const hands = new Hands();
      await visitor.open('/');
      const field = visitor.page.getByRole('searchbox');
      await hands.click(field);
      await hands.write(field, term);
      await visitor.page.waitForURL(/console\/(search|orders\/)/);
      const text = (await main()).replaceAll(/\s+/g, ' ');
      // Noon and a quarter in the zone of the ledger.
      expect(text)
        .to.match(/unconfirmed/i)
        .and.to.match(/since 2026-03-09 12:15:00, \d+ d( \d+ h)?/);
      expect(text).to.include(HANGS);
      expect(hands.done).to.equal(2);
    });
  }

  it('one at an order for a file that proves its events without the ledger', async () => {
    const hands = new Hands();
    await visitor.open(orderPage(PAID));
    const [download] = await Promise.all([
      visitor.page.waitForEvent('download'),
      hands.click(visitor.page.getByRole('link', { name: 'Evidence' })),
    ]);
    expect(hands.done).to.equal(1);
    expect(download.suggestedFilename()).to.match(/\.zip$/);
    const { evidence, problems } = openEvidence(readFileSync(await download.path()));
    expect(problems).to.deep.equal([]);
    expect(checkProofs(evidence ?? expect.fail('no evidence'), null).problems).to.deep.equal([]);
  });

  it('three to last month of both flows in one workbook', async () => {
    const hands = new Hands();
    await visitor.open('/');
    await hands.click(visitor.page.getByRole('link', { name: 'Reports' }));
    await hands.click(visitor.page.getByRole('link', { name: 'Last month' }));
    const [download] = await Promise.all([
      visitor.page.waitForEvent('download'),
      hands.click(visitor.page.getByRole('link', { name: 'Both flows (XLSX)' })),
    ]);
    expect(hands.done).to.equal(3);
    expect(download.suggestedFilename()).to.match(/^onramp-and-offramp-report-created-\d{4}-\d\d\.xlsx$/);
    const sheets = await readXlsxSheets(readFileSync(await download.path()));
    expect([...sheets.keys()]).to.include.members(['On-ramp', 'Off-ramp', 'About']);
  });

  it('one to see why a webhook is in quarantine, with a text for the provider, and two more to close it', async () => {
    const hands = new Hands();
    await visitor.open('/');
    await hands.click(visitor.page.getByRole('link', { name: /Webhooks in quarantine/ }));
    expect(await main()).to.match(/fiat: missing/);
    await hands.click(visitor.page.locator('.entries a.id').first());
    const text = await main();
    expect(text)
      .to.match(/A webhook that you signed .*\(order job-unreadable-1\):/)
      .and.to.include('- fiat: missing')
      .and.to.include('Try to read it again');
    await hands.write(visitor.page.getByLabel('Why nothing more is to be done'), 'a test of theirs, ticket 4711');
    await visitor.page.waitForSelector('.closing-note');
    expect(hands.done).to.equal(3);
    expect(await visitor.page.locator('.headline').innerText()).to.match(/^closed/);
    expect(await visitor.page.locator('.closing-note').innerText()).to.match(/a test of theirs, ticket 4711 +full,/);

    await visitor.open('/');
    expect(await main()).not.to.match(/\d+\s+Webhooks in quarantine/);
    await visitor.open('/console/health');
    expect(await main()).to.match(/Quarantine\s+OK\s+Nothing waits/);
    await visitor.open('/console/quarantine');
    expect(await main()).to.include('Nothing is waiting in quarantine');
    await visitor.page.getByRole('link', { name: 'Closed', exact: true }).click();
    await visitor.page.waitForURL(/state=closed/);
    expect(await main()).to.include('a test of theirs, ticket 4711');
    await visitor.page.getByLabel('Why it is to be looked at again').fill('it was an order after all');
    await visitor.page.getByRole('button', { name: 'Open it again' }).click();
    await visitor.page.waitForSelector('text=Why nothing more is to be done');
    expect(await visitor.page.locator('.headline').innerText()).to.match(/^open/);
  });

  it('one to see whether it is healthy: what arrives, what is refused and why, in the last hour and day', async () => {
    const hands = new Hands();
    await visitor.open('/');
    await hands.click(visitor.page.getByRole('link', { name: 'Health' }).first());
    await visitor.page.waitForURL(/console\/health/);
    const text = await main();
    expect(text)
      .to.match(/Needs attention: .*Quarantine/)
      .and.to.match(/One signed webhook could not be read, and waits/)
      .and.to.match(/Last hour\s+Last day\s+Ever/)
      .and.to.match(/Recorded recorded\s+5\s+5\s+5/)
      .and.to.match(/Wrong signature signature-mismatch\s+1\s+1\s+1/)
      .and.not.to.include('All checks passed');
    expect(hands.done).to.equal(1);
  });
});

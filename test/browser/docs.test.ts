import { writeFileSync } from 'node:fs';
import Chromium from '@sparticuz/chromium';
import { expect } from 'chai';
import { chromium, type Browser } from 'playwright-core';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';

/** Where a picture of the page is put, for whoever wants to look at it. */
const PICTURE = process.env['PICTURE'];

const webhooks = (): ReturnType<typeof webhookRoutes> =>
  webhookRoutes({
    settings: {
      signatureHeader: 'X-Service-Signature',
      signedForm: 'bytes',
      maxBodyBytes: 262_144,
      bodyWithinMs: 10_000,
      maxAgeSeconds: null,
      mostUnderWay: 100,
      mostUnread: 100,
    },
    secrets: () => [],
    now: () => NOW,
    recall: () => null,
    record: () => expect.fail('nothing is delivered'),
    onVerified: () => undefined,
    ...NO_ARRIVALS,
    onFailure: () => undefined,
  });

describe('the page of the document', () => {
  let api: ServedApi;
  let browser: Browser;

  before(async () => {
    api = await serveApi({}, [webhooks()]);
    browser = await chromium.launch({ args: Chromium.args, executablePath: await Chromium.executablePath() });
  }).timeout(60_000);
  after(async () => {
    await browser.close();
    await api.close();
  });

  it('shows every operation and the webhook, from nowhere else and without an error', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const [elsewhere, errors]: [string[], string[]] = [[], []];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${api.url}/`) && !url.startsWith('data:')) elsewhere.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${api.url}/docs`);
    await page.waitForSelector('#operations-Quarantine-releaseQuarantined');
    await page.waitForSelector('text=orderEvent');
    const shown = await page.locator('.opblock-summary-path').allInnerTexts();
    const paths = shown.map((path) => path.replaceAll('\u200B', ''));
    expect(paths).to.include.members(['/v1/webhooks', '/v1/orders', '/v1/orders/{orderId}', '/v1/audit', '/livez']);
    await page.locator('#operations-Orders-listOrders .opblock-summary-control').click();
    await page.waitForSelector('#operations-Orders-listOrders .parameters >> text=chainId');
    expect(await page.locator('.errors-wrapper, .version-pragma').count(), 'warnings of the page').to.equal(0);
    expect(await page.locator('h3:text-is("Warning"), h4:text-is("Warning")').count()).to.equal(0);
    if (PICTURE !== undefined) writeFileSync(PICTURE, await page.screenshot());
    expect(elsewhere).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
    await page.close();
  }).timeout(60_000);
});

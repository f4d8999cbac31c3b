import { expect } from 'chai';
import * as t from 'io-ts';
import { expectAccessible } from '../support/browser/axe.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectReachedByKeyboard } from '../support/browser/keyboard.ts';
import { expectAllInSight, expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { right } from '../support/right.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';
import { onEveryPage } from './on-every-page.ts';

const ROUTES_OF_ALL = [
  '/',
  '/console/orders',
  '/console/reports/offramp?groupBy=day&range=all',
  '/console/audit',
  '/console/quarantine',
  '/console/health',
];

const NARROW = { width: 390, height: 844 };
/** What a page says to everybody, without what scripts draw beside it and what differs each time. */
const TEXT = `(() => {
  const main = document.querySelector('main').cloneNode(true);
  for (const drawn of main.querySelectorAll('[aria-hidden=true], time + .muted')) drawn.remove();
  return main.textContent.replaceAll(/\\s+/g, ' ');
})()`;

const VARYING = /request [\w-]{36}|\d+ (s|ms|min|h|d)\b|\d[\d.]* (kB|MB|GB|KiB|MiB|GiB)/g;

const textOf = async ({ page }: Visitor): Promise<string> =>
  right(t.string.decode(await page.evaluate(TEXT))).replaceAll(VARYING, '…');

const WIDE = { width: 1_280, height: 900 };
const WIDEST = { width: 1_440, height: 900 };
const OPEN_ALL = `(() => {
  for (const details of document.querySelectorAll('main details')) details.open = true;
})()`;

describe('the pages of the console', () => {
  onEveryPage(({ visitor, arriveWithoutScripts }) => {
    it('is accessible in the light', () => expectAccessible(visitor().page));

    it('is reached by the keyboard alone', () => expectReachedByKeyboard(visitor().page));

    it('fits a narrow screen', async () => {
      const { page } = visitor();
      await expectNoSidewaysScroll(page);
      await page.setViewportSize(NARROW);
      await expectNoSidewaysScroll(page);
      await page.setViewportSize(WIDE);
    });

    it('shows all that is opened on a wide screen', async () => {
      const { page } = visitor();
      await page.setViewportSize(WIDEST);
      await page.evaluate(OPEN_ALL);
      await expectAllInSight(page);
      await page.setViewportSize(WIDE);
    });

    it('says the same without scripts', async () => {
      const plain = await arriveWithoutScripts();
      expect(await textOf(plain)).to.equal(await textOf(visitor()));
      plain.expectPeace();
    });
  });
});

describe('the pages of a console without any order', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  it('say what to do next, to everybody', async () => {
    const visitor = await browser.visitor({ url: scene.url, cookie: await scene.cookie('full') });
    for (const path of ROUTES_OF_ALL) {
      expect(await visitor.open(path), path).to.equal(200);
      await expectAccessible(visitor.page);
      await expectNoSidewaysScroll(visitor.page);
      expect((await visitor.page.locator('main').innerText()).length, path).to.be.greaterThan(40);
    }
    visitor.expectPeace();
  });
});

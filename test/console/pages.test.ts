import { expect } from 'chai';
import * as t from 'io-ts';
import { expectAccessible } from '../support/browser/axe.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectReachedByKeyboard } from '../support/browser/keyboard.ts';
import { expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { right } from '../support/right.ts';
import { deliveredOrders, UNREADABLE_BODIES } from './console-orders.ts';
import type { KeyName } from './console-keys.ts';
import { PAGES } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

const ROUTES_OF_ALL = [
  '/',
  '/console/orders',
  '/console/reports/offramp?groupBy=day',
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

describe('the pages of the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  const visitors = new Map<string, Promise<Visitor>>();
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    await scene.deliver([...deliveredOrders(Date.now()), UNREADABLE_BODIES]);
  });

  /** The one window of somebody with this key, with or without scripts. */
  const visitorWith = (key: KeyName | null, scripts: boolean): Promise<Visitor> => {
    const open = async (): Promise<Visitor> => {
      const cookie = key === null ? {} : { cookie: await scene.cookie(key) };
      return browser.visitor({ url: scene.url, scripts, ...cookie });
    };
    const name = `${key} ${scripts}`;
    const visitor = visitors.get(name) ?? open();
    visitors.set(name, visitor);
    return visitor;
  };

  after(async () => {
    await browser.close();
    await scene.close();
  });

  for (const { name, path, status, heading, key } of PAGES) {
    describe(name, () => {
      let visitor: Visitor;
      const arrive = async (scripts: boolean): Promise<Visitor> => {
        const arrived = await visitorWith(key, scripts);
        expect(await arrived.open(path)).to.equal(status);
        expect(await arrived.page.locator('h1').allInnerTexts()).to.have.lengthOf(1);
        expect(await arrived.page.locator('h1').innerText()).to.match(heading);
        return arrived;
      };
      before(async () => {
        visitor = await arrive(true);
      });
      afterEach(() => visitor.expectPeace());

      it('is accessible in the light', () => expectAccessible(visitor.page));

      it('is reached by the keyboard alone', () => expectReachedByKeyboard(visitor.page));

      it('is accessible in the dark', async () => {
        await visitor.page.emulateMedia({ colorScheme: 'dark' });
        await expectAccessible(visitor.page);
        await visitor.page.emulateMedia({ colorScheme: 'light' });
      });

      it('prints in the light, and no wider than the paper', async () => {
        await visitor.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await expectNoSidewaysScroll(visitor.page);
        if (!name.includes(',')) await expectAccessible(visitor.page, 'of colours');
        await visitor.page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      });

      it('fits a narrow screen', async () => {
        await expectNoSidewaysScroll(visitor.page);
        await visitor.page.setViewportSize(NARROW);
        await expectNoSidewaysScroll(visitor.page);
        await visitor.page.setViewportSize(WIDE);
      });

      it('says the same without scripts', async () => {
        const plain = await arrive(false);
        expect(await textOf(plain)).to.equal(await textOf(visitor));
        plain.expectPeace();
      });
    });
  }
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

import { expect } from 'chai';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { deliveredOrders, UNREADABLE_BODIES } from './console-orders.ts';
import type { KeyName } from './console-keys.ts';
import { PAGES } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

/** A page that somebody has opened who may see it. */
export type OpenPage = {
  readonly name: string;
  readonly visitor: () => Visitor;
  /** Opens it without scripts. */
  readonly arriveWithoutScripts: () => Promise<Visitor>;
};

/** The same tests on each page of a ledger that has orders on every path; one browser opens them all. */
export const onEveryPage = (tests: (page: OpenPage) => void): void => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  const visitors = new Map<string, Promise<Visitor>>();
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    await scene.deliver([...deliveredOrders(Date.now()), UNREADABLE_BODIES]);
  });
  after(async () => {
    await browser.close();
    await scene.close();
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

      tests({ name, visitor: () => visitor, arriveWithoutScripts: () => arrive(false) });
    });
  }
};

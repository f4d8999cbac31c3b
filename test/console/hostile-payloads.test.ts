import { expect } from 'chai';
import * as fc from 'fast-check';
import type { JsonObject } from '../../src/domain/json.ts';
import { withUnseenShown } from '../../src/domain/unseen-characters.ts';
import { anyCharacter } from '../support/any-character.ts';
import { openBrowser, type TestBrowser, type Visitor } from '../support/browser/browser.ts';
import { expectNothingInjected } from '../support/browser/injected.ts';
import { expectNoSidewaysScroll } from '../support/browser/layout.ts';
import { expectReadingOrder } from '../support/browser/reading-order.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { orderPage, quarantinedPage } from './console-pages.ts';
import { consoleScene, type ConsoleScene } from './console-scene.ts';

/** Of what hostile texts are made. */
const FRAGMENTS = [
  '<script>window.pwned=1;alert(1)</script>',
  '<img src=x onerror="window.pwned=1">',
  `"><svg onload=alert(1)>`,
  `' onfocus=alert(1) autofocus pwned='`,
  '</title></textarea></style></script><iframe src="javascript:alert(1)">',
  '<!--',
  ']]>',
  '&lt;b&gt;&amp;#60;',
  '${1+1}{{7*7}}<%= 1 %>',
  'javascript:alert(1)',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '\u202e\u2066 desrever \u2067',
  'שלום עולם',
  'z\u0336a\u0335l\u0337g\u0334o\u0310\u0351\u0343\u0357',
  '\u0000\u0001\u001b[31m\u007f\u0085\u2028\ufeff',
  '\ud800 alone',
  '\r\n\t two lines ',
  '=HYPERLINK("https://evil.example")',
  '🧾'.repeat(40),
] as const;

/** Each fragment by itself and beside others; what no line can hold; what turns the direction of all that follows. */
const FIXED = [
  ...FRAGMENTS.map((_, i) => FRAGMENTS.slice(i, i + 4).join('')).filter((_, i) => i % 4 === 0),
  'W'.repeat(10_000),
  `<b>${'x'.repeat(5_000)}`,
  '\u202e'.repeat(500),
];

const composed = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: anyCharacter, maxLength: 8 })), {
    minLength: 2,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

/** What a page shows of a text that is nothing but text: what would steer it, or can't be seen, by its code. */
const shownAs = (text: string): string =>
  withUnseenShown(text.toWellFormed(), (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u{${mark.codePointAt(0)?.toString(16)}}`,
  );

/** What an id can hold (docs/spec/domain.md, What must be readable), no longer than one may be. */
const asId = (text: string): string => text.toWellFormed().replaceAll('\0', '').slice(0, 150).toWellFormed();

const named = (text: string): string => (text.replaceAll('\0', '') === '' ? 'x' : text.replaceAll('\0', ''));

/** An order that says it in every field that takes a text. */
const saying = (
  n: number,
  text: string,
): { readonly ids: readonly [string, string]; readonly payloads: readonly JsonObject[] } => {
  const filled = named(text);
  const common = {
    customer: { id: text, email: text, name: text, phone: { countrycode: text, [text]: text }, more: text },
    metaData: { note: text, [text]: text, deep: [{ [text]: [text] }] },
    currency: filled,
    unknown: text,
    [`key ${text}`]: text,
  };
  const [onId, offId] = [`on-${n}-${asId(text)}`, `off-${n}-${asId(text)}`] as const;
  const off = { ...common, orderId: offId, tenantId: text, transactionId: text, source: text };
  const payloads = [
    onRamp({
      ...common,
      orderId: onId,
      status: filled,
      receiverWalletAddress: text,
      buyTokenSymbol: text,
      buyTokenAddress: text,
      txnHash: text,
    }),
    offRamp({
      ...off,
      senderWalletAddress: text,
      sellTokenSymbol: text,
      sellTokenAddress: text,
      utr: text,
      status: 'fiatDeemed',
    }),
    offRamp({ ...off, utr: `${filled}2`, status: 'PayoutSuccess', currency: `${filled}2`, fiat: 7 }),
  ];
  return { ids: [onId, offId], payloads };
};

describe('hostile payloads in the console', () => {
  let scene: ConsoleScene;
  let browser: TestBrowser;
  let wide: Visitor;
  let narrow: Visitor;
  let orders = 0;
  before(async () => {
    [scene, browser] = await Promise.all([consoleScene(), openBrowser()]);
    const cookie = await scene.cookie('full');
    wide = await browser.visitor({ url: scene.url, cookie });
    narrow = await browser.visitor({ url: scene.url, cookie, width: 390, scripts: false });
  });
  after(async () => {
    await browser.close();
    await scene.close();
  });

  const expectHarmless = async (visitor: Visitor, path: string, status = 200): Promise<void> => {
    expect(await visitor.open(path), path).to.equal(status);
    await expectNothingInjected(visitor.page);
    await expectNoSidewaysScroll(visitor.page);
    await expectReadingOrder(visitor.page);
    visitor.expectPeace();
  };

  const factOf = async ({ page }: Visitor, name: string): Promise<string | null> =>
    page
      .locator('.facts div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('dd')
      .textContent();

  it('stay text, run nothing and break no layout, whatever is in them', async () => {
    await fc.assert(
      fc.asyncProperty(composed, async (text) => {
        const { ids, payloads } = saying((orders += 1), text);
        await scene.deliver([payloads]);
        for (const id of ids) {
          const path = orderPage(id);
          await expectHarmless(narrow, path);
          await expectHarmless(wide, path);
          expect(await wide.page.locator('h1').textContent()).to.equal(shownAs(id));
          await expectHarmless(wide, `${path}/events/0`);
        }
        await wide.open(orderPage(ids[1]));
        if (shownAs(text) !== '') expect(await factOf(wide, 'Tenant')).to.equal(shownAs(text));
      }),
      { numRuns: FIXED.length + 2, examples: FIXED.map((text): [string] => [text]), endOnFailure: true },
    );
  }).timeout(60_000);

  it('would be seen to turn the order of what stands beside them', async () => {
    const { page, close } = await browser.visitor({ url: scene.url });
    await page.setContent('<p><b>\u202eone</b> <b>two</b></p>');
    const failed = await expectReadingOrder(page).then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
    await page.setContent('<p><bdi>\u202eone</bdi> <b>two</b></p>');
    await expectReadingOrder(page);
    await close();
  });

  it('stay text in lists, reports, charts, quarantine, searches and titles', async () => {
    const unreadable = FIXED.flatMap((text) => [
      JSON.stringify({ eventType: 'onramp', orderId: text.slice(0, 100), status: 7, [text]: text }),
      `${text.toWellFormed()}{`,
    ]);
    await scene.deliver([unreadable]);
    const paths = [
      '/',
      '/console/orders',
      '/console/reports/onramp?groupBy=day,token&range=all',
      '/console/reports/offramp?groupBy=day&range=all',
      '/console/audit?limit=100',
      '/console/quarantine',
      ...unreadable.slice(0, 4).map(quarantinedPage),
    ];
    for (const path of paths) for (const visitor of [wide, narrow]) await expectHarmless(visitor, path);
    for (const text of FIXED.slice(0, 2)) {
      await expectHarmless(wide, `/console/orders?${new URLSearchParams({ currency: text, status: text }).toString()}`);
      await expectHarmless(wide, orderPage(text), 404);
      await wide.open('/console/orders');
      await wide.page.locator('#search').fill(text);
      await wide.page.keyboard.press('Enter');
      await wide.page.waitForURL('**/console/search');
      await expectNothingInjected(wide.page);
      expect(await wide.page.locator('q').textContent()).to.equal(text);
    }
    wide.expectPeace();
  });
});

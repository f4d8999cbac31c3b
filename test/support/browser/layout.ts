import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../right.ts';

const Overflow = t.type({ beyond: t.number, by: t.array(t.string) });

/** How far the document is wider than its window, and by which texts. */
const PROBE = `(() => {
  const root = document.documentElement;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const by = [];
  const place = document.createRange();
  for (let text = texts.nextNode(); text !== null && root.scrollWidth > root.clientWidth; text = texts.nextNode()) {
    place.selectNodeContents(text);
    if (place.getBoundingClientRect().right > root.clientWidth) by.push(text.parentElement.outerHTML.slice(0, 200));
  }
  return { beyond: root.scrollWidth - root.clientWidth, by: by.slice(0, 5) };
})()`;

const SCROLLING = `[...document.querySelectorAll('.scroll')]
  .filter((part) => part.offsetParent !== null && part.scrollWidth > part.clientWidth)
  .map((part) => part.getAttribute('aria-label') ?? part.innerHTML.slice(0, 100))`;

/** A page of which nothing is out of sight on either side: no part of it scrolls sideways inside itself. */
export const expectAllInSight = async (page: Page): Promise<void> => {
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate(SCROLLING), `what scrolls sideways at ${page.url()}`).to.deep.equal([]);
};

/** A page that is no wider than its window: what is wide scrolls inside itself. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { beyond, by } = right(Overflow.decode(await page.evaluate(PROBE)));
  expect(beyond, `pixels beyond the window at ${page.url()}: ${by.join('\n')}`).to.equal(0);
};

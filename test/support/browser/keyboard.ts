import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../right.ts';

const Reached = t.type({ missed: t.array(t.string), unseen: t.array(t.string) });

/** Numbers everything that a mouse could use, and notes what the focus comes to and whether one sees it there. */
const WATCH = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    (element) => element.checkVisibility() && element.type !== 'hidden' && !element.disabled
      && element.id !== 'main' && element.closest('[aria-hidden=true]') === null,
  );
  const reached = new Set();
  const unseen = new Set();
  addEventListener('focusin', ({ target }) => {
    reached.add(target);
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const box = target.getBoundingClientRect();
    const inWindow = box.bottom > 0 && box.top < innerHeight && box.width > 0 && box.height > 0;
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 1.5 || !inWindow) unseen.add(target);
  });
  const text = (element) => element.outerHTML.slice(0, 160);
  window.watched = {
    stops: all.length + 4 * all.filter((element) => element.type === 'date').length,
    answer: () => ({ missed: all.filter((element) => !reached.has(element)).map(text), unseen: [...unseen].map(text) }),
  };
  return window.watched.stops;
})()`;

/** A page whose every link, field and button is reached by Tab alone, and is seen to be. */
export const expectReachedByKeyboard = async (page: Page): Promise<void> => {
  await page.evaluate('document.activeElement instanceof HTMLElement && document.activeElement.blur()');
  const stops = right(t.number.decode(await page.evaluate(WATCH)));
  for (let stop = 0; stop <= stops; stop += 1) await page.keyboard.press('Tab');
  const reached = right(Reached.decode(await page.evaluate('window.watched.answer()')));
  expect(stops).to.be.greaterThan(0);
  expect(reached, page.url()).to.deep.equal({ missed: [], unseen: [] });
};

import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../right.ts';

/** Neighbours on a line that stand in another order than they are written: what text that turns its direction does to others. */
const PROBE = `[...document.querySelectorAll('body *:not(svg *)')].flatMap((parent) => {
  const children = [...parent.children].filter((child) => child.checkVisibility() && child.textContent !== '');
  return children.flatMap((child, i) => {
    const next = children[i + 1];
    if (next === undefined || getComputedStyle(child).position === 'absolute') return [];
    const [a, b] = [child.getBoundingClientRect(), next.getBoundingClientRect()];
    const onOneLine = a.width > 0 && b.width > 0 && Math.abs(a.bottom - b.bottom) < 2 && a.height < 60 && b.height < 60;
    return onOneLine && b.left < a.left - 1 ? [child.outerHTML.slice(0, 200) + ' … ' + next.outerHTML.slice(0, 200)] : [];
  });
})`;

/** A page on which everything stands in the order in which it is written. */
export const expectReadingOrder = async (page: Page): Promise<void> => {
  expect(right(t.array(t.string).decode(await page.evaluate(PROBE))), page.url()).to.deep.equal([]);
};

import Big from 'big.js';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../support/right.ts';
import type { ConsoleScene } from './console-scene.ts';

/** A figure of a page that leads to orders: a sum of amounts, or how many they are. */
const Cell = t.type({ column: t.string, figure: t.string, isCount: t.boolean, href: t.string });
type Cell = t.TypeOf<typeof Cell>;

/** Of tables that lie open; those folded away hold the same by day. */
const CELLS = `[...document.querySelectorAll('table.cells')].filter((table) => table.checkVisibility()).flatMap((table) => {
  const columns = [...table.querySelectorAll('thead th')].map((th) => th.textContent.trim());
  return [...table.rows].flatMap((row) => {
    // A line of totals begins with one wide cell.
    const cells = [...row.cells].flatMap((cell) => Array(cell.colSpan).fill(cell));
    return cells.flatMap((cell, i) => {
      const link = cell.querySelector('a');
      if (link === null) return [];
      const amount = link.querySelector('.amount');
      const shown = (amount ?? link).cloneNode(true);
      for (const filling of shown.querySelectorAll('.filling')) filling.remove();
      const figure = shown.textContent.trim();
      return [{ column: columns[i], figure, isCount: amount === null, href: link.getAttribute('href') }];
    });
  });
})`;

/** Every figure that is a link, of the page that is open. */
export const cellsOf = async (page: Page): Promise<readonly Cell[]> =>
  right(t.array(Cell).decode(await page.evaluate(CELLS)));

/** The first amount of a row, as it is copied. */
const amountIn = (row: string): string => {
  const [, shown = ''] = /class="amount"[^>]*>(.*?)<\/td>/s.exec(row) ?? [];
  return shown
    .replaceAll(/<span class="filling[^"]*".*?<\/span\s*>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .trim();
};

/** The fiat amounts of a list, page after page. */
const amountsBehind = async (scene: ConsoleScene, href: string): Promise<readonly string[]> => {
  const amounts: string[] = [];
  for (let at: string | undefined = href; at !== undefined;) {
    const { status, text } = await scene.ask(at, 'full');
    expect(status, at).to.equal(200);
    amounts.push(...text.split('<th scope="row">').slice(1).map(amountIn));
    at = /<a rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return amounts;
};

/** Of settled orders: what they sum to stands on the orders' own pages. */
const OTHER_SUMS = ['Commission', 'TDS'];

/** Follows a figure to its orders, which are as many, or sum to exactly as much, as it says. */
export const expectAddsUp = async (scene: ConsoleScene, { column, figure, isCount, href }: Cell): Promise<void> => {
  const amounts = await amountsBehind(scene, href);
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Big(0));
  expect(amounts.length, href).to.be.greaterThan(0);
  if (OTHER_SUMS.includes(column)) return;
  expect(isCount ? String(amounts.length) : sum.toFixed(), `${column} of ${href}`).to.equal(figure);
};

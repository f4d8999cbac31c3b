import axe from 'axe-core';
import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../right.ts';

const Results = t.type({
  violations: t.array(
    t.type({ id: t.string, help: t.string, nodes: t.array(t.type({ html: t.string, failureSummary: t.string })) }),
  ),
  passes: t.number,
});

const SHOWN = 300;

/** A page on which axe-core finds nothing, by all its rules and best practices. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await page.evaluate(`typeof axe === 'undefined' && void (0, eval)(${JSON.stringify(axe.source)})`);
  const options = { resultTypes: ['violations'] };
  const found: unknown = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({ violations, passes: passes.length }))`,
  );
  const { violations, passes } = right(Results.decode(found));
  const told = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, SHOWN)}\n${failureSummary}`),
  }));
  expect(told, page.url()).to.deep.equal([]);
  expect(passes, 'rules that were looked at').to.be.greaterThan(0);
};

/** A page on which whatever is pressed is 24 pixels large, or as far from the next (WCAG 2.2, 2.5.8), which axe-core looks at only where it is asked to. */
export const expectRoomToPress = async (page: Page): Promise<void> => {
  await page.evaluate(`typeof axe === 'undefined' && void (0, eval)(${JSON.stringify(axe.source)})`);
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: { type: 'rule', values: ['target-size'] } }).then(({ violations, passes }) => ({ violations, passes: passes.length }))`,
  );
  const { violations } = right(Results.decode(found));
  const told = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, SHOWN)));
  expect(told, page.url()).to.deep.equal([]);
};

import { expect } from 'chai';
import * as t from 'io-ts';
import type { Page } from 'playwright-core';
import { right } from '../right.ts';

/** What no page of the console has unless somebody else wrote it. */
const PROBE = `(() => {
  const tags = 'img, iframe, object, embed, base, video, audio, style, marquee, template, math, body body';
  const alien = [...document.querySelectorAll(tags)];
  const scripts = [...document.querySelectorAll('script')].filter((script) => script.nonce === '');
  const leads = (name, value) => /^(href|src|action|formaction)$/.test(name) && !/^[/#]/.test(value);
  // What a chart is drawn with is styled by its script.
  const isStyled = (element, name) => /^style$/i.test(name) && element.closest('.uplot') === null;
  const handlers = [...document.querySelectorAll('*')].filter((element) =>
    [...element.attributes].some(
      ({ name, value }) => /^on|pwned/i.test(name) || isStyled(element, name) || leads(name, value),
    ),
  );
  return {
    found: [...alien, ...scripts, ...handlers].map((element) => element.outerHTML.slice(0, 200)),
    ran: typeof window.pwned !== 'undefined',
  };
})()`;

const Found = t.type({ found: t.array(t.string), ran: t.boolean });

/** A page in which a payload is text: it has added no element, no attribute, and run nothing. */
export const expectNothingInjected = async (page: Page): Promise<void> => {
  const injected = right(Found.decode(await page.evaluate(PROBE)));
  expect(injected, `${page.url()}\n${injected.found.join('\n')}\n`).to.deep.equal({ found: [], ran: false });
};

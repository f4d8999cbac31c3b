import type { FilledTexts } from './filled-parameters.ts';
import { html, type Html } from './html.ts';
import { withParameters } from './links.ts';

/** What a list calls its pages. */
export type PagerWords = { readonly further: string; readonly next: string; readonly none: string };

/** The way to the next page of a list, and back to the first; `next`: its cursor, null where there is none. */
export const pager = (path: string, texts: FilledTexts, next: string | null, words: PagerWords): Html => {
  const at = (cursor: string | null): string => withParameters(path, { ...Object.fromEntries(texts), cursor });
  return html`
    <nav class="pager" aria-label="${words.further}">
      ${texts.has('cursor') ? html`<a href="${at(null)}">First page</a>` : null}
      ${next === null ? html`<span class="muted">${words.none}</span>` : html`<a rel="next" href="${at(next)}">${words.next}</a>`}
    </nav>
  `;
};

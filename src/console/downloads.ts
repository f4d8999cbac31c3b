import { html, type Html } from './html.ts';
import { withParameters } from './links.ts';

/** A file that is more than what a page shows. */
export type FurtherFile = { readonly href: string; readonly name: string };

/** Links to what a page shows as files, and to further ones. */
export const downloads = (
  path: string,
  texts: ReadonlyMap<string, string>,
  formats: readonly (readonly [format: string, name: string])[],
  further: readonly FurtherFile[] = [],
): Html => html`
  <p class="downloads">
    <span class="muted">Download</span>
    ${formats.map(
      ([format, name]) =>
        html`<a
          download
          href="${withParameters(path, { ...Object.fromEntries(texts), limit: null, cursor: null, format })}"
          >${name}</a
        >`,
    )}
    ${further.map(({ href, name }) => html`<a download href="${href}">${name}</a>`)}
  </p>
`;

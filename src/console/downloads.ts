import { html, type Html } from './html.ts';
import { withParameters } from './links.ts';

/** Links to what a page shows as files. */
export const downloads = (
  path: string,
  texts: ReadonlyMap<string, string>,
  formats: readonly (readonly [format: string, name: string])[],
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
  </p>
`;

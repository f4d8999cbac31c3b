import { html, type Html } from './html.ts';

/** How a column is headed, and whether it has figures, which stand on the right. */
type Head = string | { readonly figure: string };

const head = (of: Head): Html =>
  typeof of === 'string' ? html`<th scope="col">${of}</th>` : html`<th scope="col" class="figure">${of.figure}</th>`;

/**
 * What files have, one below the other, in a table that scrolls by itself where it is too wide.
 *
 * @param label what it has, for who can't see it
 * @param layout `labelled`: in a narrow window each cell stands under its own label
 */
export const fileTable = (
  label: string,
  heads: readonly Head[],
  rows: readonly Html[],
  layout: 'plain' | 'labelled' = 'plain',
): Html => html`
  <div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table class="${layout === 'plain' ? 'of-file' : 'of-file labelled'}">
      <thead>
        <tr>
          ${heads.map(head)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>
`;

import { html, type Html } from './html.ts';

/**
 * How a column is headed. A figure stands on the right; an unseen head is there for who can't see the table; cells are
 * heads that are made elsewhere.
 */
type Head = string | { readonly figure: string } | { readonly unseen: string } | { readonly cells: Html };

type Frame = {
  /** What the table has, for who can't see it, and reaches by the keyboard what is too wide for the window; left out where something near says it. */
  readonly label?: string;
  /** Classes of it. `labelled`: in a narrow window each cell stands under its own label; `stacked`: each row is a card there. */
  readonly layout?: string;
  /** What a chart finds it by. */
  readonly id?: string;
};

const headCell = (head: Head): Html => {
  if (typeof head === 'string') return html`<th scope="col">${head}</th>`;
  if ('figure' in head) return html`<th scope="col" class="figure">${head.figure}</th>`;
  if ('unseen' in head) return html`<th scope="col"><span class="unseen">${head.unseen}</span></th>`;
  return head.cells;
};

const attribute = (name: string, value: string | undefined): Html | null =>
  value === undefined ? null : html` ${name}="${value}"`;

/**
 * A table that scrolls by itself where it is too wide.
 *
 * @param below further bodies of it, or its foot
 */
export const dataTable = (
  { label, layout, id }: Frame,
  heads: readonly Head[],
  rows: Html | readonly Html[],
  below: Html | null = null,
): Html =>
  html`<div class="scroll"${label === undefined ? null : html` tabindex="0" role="group" aria-label="${label}"`}>
    <table${attribute('class', layout)}${attribute('id', id)}>
      <thead>
        <tr>
          ${heads.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
      ${below}
    </table>
  </div>`;

import { html, type Html } from './html.ts';

/** What something is called, and what it is; null or empty: it is not shown. */
export type Fact = readonly [name: string, value: Html | string | null];

/** Facts one below the other, or side by side as the layout has it. */
export const factList = (facts: readonly Fact[], layout: '' | 'wide' | 'ids' = ''): Html => html`
  <dl class="${layout === '' ? 'facts' : `facts ${layout}`}">
    ${facts.flatMap(([name, value]) =>
      value === null || value === ''
        ? []
        : [
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
          ],
    )}
  </dl>
`;

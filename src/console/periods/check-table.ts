import type { PeriodCheck } from '../../domain/own-event/period-events.ts';
import { checkWords } from '../../queries/words/check-words.ts';
import { html, type Html } from '../html.ts';

/** A check, and the page with what is behind it. */
type ShownCheck = PeriodCheck & { readonly href: string | null };

const row = ({ name, ok, detail, href }: ShownCheck): Html => html`
  <tr>
    <th scope="row">${checkWords(name)} <code>${name}</code></th>
    <td><span class="${ok ? 'verdict yes' : 'verdict no'}">${ok ? 'well' : 'to do'}</span></td>
    <td>${href === null ? detail : html`<a href="${href}">${detail}</a>`}</td>
  </tr>
`;

/** What is looked at before a month is closed, line by line. */
export const checkTable = (checks: readonly ShownCheck[]): Html => html`
  <div class="scroll" tabindex="0" role="group" aria-label="Readiness">
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">State</th>
          <th scope="col">What is behind it</th>
        </tr>
      </thead>
      <tbody>
        ${checks.map(row)}
      </tbody>
    </table>
  </div>
`;

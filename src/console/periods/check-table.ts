import { branded } from '../../domain/brand.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PeriodCheck } from '../../domain/own-event/period-events.ts';
import { checkWords } from '../../queries/words/check-words.ts';
import { html, type Html } from '../html.ts';
import type { Times } from '../local-time.ts';

/** A check, and the page with what is behind it. */
type ShownCheck = PeriodCheck & { readonly href: string | null };

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

/** What is behind a check, its moments as they are shown everywhere. */
export const checkDetail = (detail: string, { time }: Times): Html => {
  const [moment] = MOMENT.exec(detail) ?? [];
  if (moment === undefined) return html`${detail}`;
  const [before = '', after = ''] = detail.split(moment);
  return html`${before}${time(branded<Instant>(moment))}${after}`;
};

const row = ({ name, ok, detail, href }: ShownCheck, missing: string, times: Times): Html => html`
  <tr>
    <th scope="row">${checkWords(name)} <span class="code">${name}</span></th>
    <td><span class="${ok ? 'verdict yes' : 'verdict no'}">${ok ? 'OK' : missing}</span></td>
    <td>${href === null ? checkDetail(detail, times) : html`<a href="${href}">${checkDetail(detail, times)}</a>`}</td>
  </tr>
`;

/**
 * What is looked at before a month is closed, line by line.
 *
 * @param missing what is said of a check that is not met
 */
export const checkTable = (checks: readonly ShownCheck[], missing: 'To do' | 'Accepted', times: Times): Html => html`
  <div class="scroll" tabindex="0" role="group" aria-label="Readiness">
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">What must be so</th>
          <th scope="col">State</th>
          <th scope="col">What is behind it</th>
        </tr>
      </thead>
      <tbody>
        ${checks.map((check) => row(check, missing, times))}
      </tbody>
    </table>
  </div>
`;

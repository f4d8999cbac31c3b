import type { Readiness } from '../../queries/periods/readiness-check.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { checkDetail } from './check-table.ts';
import { monthWords } from './month-words.ts';
import { periodPath } from './period-path.ts';

const MAY_NOT = html`<p class="fine">
  To close a month or open it again, sign in with a key that has the scope periods:write.
</p>`;

const mayWrite = ({ session }: ConsoleQuestion): boolean => session.key.scopes.has('periods:write');

/** The field by which a check is closed over: a form has each of its fields once. */
export const despiteField = (check: string): string => `despite-${check}`;

/**
 * Closes a month, over those checks that are not well only where each is ticked. The browser asks for what is missing, so
 * that nobody loses a form to a refusal.
 */
export const closeForm = (month: string, { checks, until }: Readiness, asked: ConsoleQuestion): Html => {
  if (!mayWrite(asked)) return MAY_NOT;
  const failing = checks.filter(({ ok }) => !ok);
  return html`
    <form class="deed" method="post" action="${periodPath(month)}/close">
      ${tokenField(asked.session)}
      ${
        failing.length === 0
          ? null
          : html`<fieldset>
              <legend>Close with these open: tick each</legend>
              ${failing.map(
                (check) =>
                  html`<label class="tick"
                    ><input type="checkbox" name="${despiteField(check.name)}" value="yes" required /><span
                      >${checkDetail(check, until, asked.times)} <span class="code">${check.name}</span></span
                    ></label
                  >`,
              )}
            </fieldset>`
      }
      ${
        failing.length === 0
          ? html`<label>Note<input name="note" maxlength="2000" autocomplete="off" /></label>`
          : html`<label>Why<input name="note" required maxlength="2000" autocomplete="off" /></label>`
      }
      <button type="submit">Close ${monthWords(month)}</button>
    </form>
  `;
};

/** Opens the latest closed month again. */
export const reopenForm = (month: string, asked: ConsoleQuestion): Html =>
  mayWrite(asked)
    ? html`
        <form class="deed" method="post" action="${periodPath(month)}/reopen">
          ${tokenField(asked.session)}
          <label>Why<input name="note" required maxlength="2000" autocomplete="off" /></label>
          <button class="second" type="submit">Open ${monthWords(month)} again</button>
        </form>
      `
    : MAY_NOT;

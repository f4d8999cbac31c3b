import { closingResource, quarantineState } from '../../queries/quarantine/quarantine-resource.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { quarantinedPath } from '../links.ts';

/** Who closed a delivery, when and why. */
export const closingNote = (
  { closed }: Pick<Quarantined, 'closed'>,
  { times, personal }: ConsoleQuestion,
): Html | null => {
  if (closed === null) return null;
  const { note } = closingResource(closed, personal);
  return html`<p class="closing-note">
    <strong>Closed:</strong> ${note} <span class="muted">${closed.by}, ${times.time(closed.at)}</span>
  </p>`;
};

const tryAgain = ({ eventId }: Quarantined, { session }: ConsoleQuestion): Html => html`
  <form method="post" action="${quarantinedPath(eventId)}/release">
    ${tokenField(session)}
    <button class="second" type="submit">Try to read it again</button>
  </form>
`;

const noted = (
  { eventId }: Quarantined,
  { session }: ConsoleQuestion,
  { deed, label, button }: { readonly deed: 'close' | 'reopen'; readonly label: string; readonly button: string },
): Html => html`
  <form class="deed in-line" method="post" action="${quarantinedPath(eventId)}/${deed}">
    ${tokenField(session)}
    <label>${label}<input name="note" required maxlength="2000" autocomplete="off" /></label>
    <button class="second" type="submit">${button}</button>
  </form>
`;

/**
 * What somebody can do about a delivery (docs/spec/http.md, Quarantine): have it read again, close it with a note, or open a closed
 * one again. Nothing where it was released.
 */
export const deeds = (delivery: Quarantined, asked: ConsoleQuestion): Html | null => {
  const state = quarantineState(delivery);
  if (state === 'released') return null;
  if (!asked.session.key.scopes.has('quarantine:write')) {
    return html`<p class="fine">
      To try again or to close it, sign in with a key that has the scope quarantine:write.
    </p>`;
  }
  return html`
    <div class="deeds">
      ${tryAgain(delivery, asked)}
      ${
        state === 'open'
          ? noted(delivery, asked, { deed: 'close', label: 'Why nothing more is to be done', button: 'Close it' })
          : noted(delivery, asked, {
              deed: 'reopen',
              label: 'Why it is to be looked at again',
              button: 'Open it again',
            })
      }
    </div>
  `;
};

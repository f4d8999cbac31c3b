import type { QuarantineState } from '../../domain/quarantine-state.ts';
import type { Reason } from '../../domain/reason.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import { maskedMemberPath } from '../../queries/masking/masking.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { html, type Html } from '../html.ts';
import { reasonWords } from './reason-words.ts';
import { orderPath, withParameters } from '../links.ts';

/** The path of a member as somebody may see it. */
export const shownPath = ({ path }: Reason, personal: PersonalData): string =>
  personal === 'shown' ? path : maskedMemberPath(path);

/** Why a body could not be read; its members may have names of any kind. No more than `most` are listed. */
export const reasonList = (
  { reasons }: Pick<Quarantined, 'reasons'>,
  { personal }: ConsoleQuestion,
  most = Infinity,
): Html => html`
  <ul class="reasons">
    ${reasons.slice(0, most).map((reason) => {
      const shown = shownPath(reason, personal);
      return html`<li>
        ${shown === '' ? html`<span class="muted">the body</span>` : html`<code>${shown}</code>`}:
        ${reasonWords(reason)}
      </li>`;
    })}
    ${reasons.length > most ? html`<li class="muted">and ${reasons.length - most} more</li>` : null}
  </ul>
`;

/** The order that a body names, as a link to it where it is there, to what the trail has of it where it may not be. */
export const namedOrder = (
  orderId: Quarantined['orderId'],
  released: boolean,
  { session, personal }: ConsoleQuestion,
): Html => {
  if (orderId === null) return html`<span class="muted">none that can be read</span>`;
  const shown = shownText(orderId, personal);
  if (shown !== orderId) return html`<span class="id">${shown}</span>`;
  const isThere = released && session.key.scopes.has('orders:read');
  return html`<a class="id" href="${isThere ? orderPath(orderId) : withParameters('/console/audit', { q: orderId })}"
    >${shown}</a
  >`;
};

const BADGES: Readonly<Record<QuarantineState, readonly [string, string]>> = {
  open: ['deemed', 'open'],
  closed: ['expired', 'closed'],
  released: ['settled', 'read later'],
};

/** What became of a delivery. */
export const stateBadge = (state: QuarantineState): Html => {
  const [colour, word] = BADGES[state];
  return html`<span class="badge ${colour}"><span class="dot" aria-hidden="true"></span>${word}</span>`;
};

import type { EventId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { eventIdOf } from '../../domain/order-key.ts';
import { masked } from '../../queries/masking/masking.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { html, type Html } from '../html.ts';
import { payloadAmount } from './payload-amount.ts';
import { payloadChanges, type Change } from './payload-changes.ts';

/** The event that a conflict contradicts; null where it is not among these. */
export const contradicted = (conflict: LedgerEvent, events: readonly LedgerEvent[]): LedgerEvent | null =>
  events.find(({ kind, payload }) => kind === 'order' && eventIdOf(payload) === eventIdOf(conflict.payload)) ?? null;

/** What differs between two events, as somebody may see it. */
export const differences = (before: LedgerEvent, after: LedgerEvent, personal: PersonalData): readonly Change[] => {
  const shown = (payload: JsonObject): JsonObject => (personal === 'shown' ? payload : masked(payload));
  return payloadChanges(shown(before.payload), shown(after.payload));
};

/** More stand in the history. */
const MOST_CHANGES = 3;
const LONGEST_VALUE = 60;

const value = (path: string, text: string | null): Html | string =>
  text === null
    ? 'absent'
    : text === ''
      ? 'empty'
      : text.length > LONGEST_VALUE
        ? `${text.slice(0, LONGEST_VALUE)}…`
        : (payloadAmount(path, text) ?? text);

/** A conflict in one line: what it says otherwise, and against which event; null where that is not known. */
export const conflictLine = (eventId: EventId, events: readonly LedgerEvent[], personal: PersonalData): Html | null => {
  const conflict = events.find(({ recorded, kind }) => recorded.id === eventId && kind === 'conflict');
  const against = conflict === undefined ? null : contradicted(conflict, events);
  if (conflict === undefined || against === null) return null;
  const changes = differences(against, conflict, personal);
  const [here, there] = [conflict.recorded.revision, against.recorded.revision];
  return html`<p>
    <a href="#revision-${here}">Event ${here}</a> against <a href="#revision-${there}">event ${there}</a>:
    ${changes
      .slice(0, MOST_CHANGES)
      .map(
        ({ path, before, after }, i) =>
          html`${i === 0 ? '' : ', '}<code>${path}</code> <bdi>${value(path, before)}</bdi> →
            <bdi>${value(path, after)}</bdi>`,
      )}${changes.length > MOST_CHANGES ? ` and ${changes.length - MOST_CHANGES} more` : ''}
  </p>`;
};

import type { EventId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { eventIdOf } from '../../domain/order-key.ts';
import { masked } from '../../queries/masking/masking.ts';
import type { PersonalData } from '../../queries/masking/personal-data.ts';
import { html, type Html } from '../html.ts';
import { payloadAmount } from './payload-amount.ts';
import { payloadChanges, type Change } from './payload-changes.ts';

/** Which event of an order each of its conflicts contradicts. */
export type Contradictions = {
  /** The conflict of an id; null: there is none. */
  readonly conflict: (eventId: EventId) => LedgerEvent | null;
  /** The event that a conflict contradicts; null where it is not among these. */
  readonly contradicted: (conflict: LedgerEvent) => LedgerEvent | null;
};

/** Looks through the events of an order once, however many of them are conflicts. */
export const contradictionsAmong = (events: readonly LedgerEvent[]): Contradictions => {
  const conflicts = new Map<EventId, LedgerEvent>();
  const first = new Map<EventId, LedgerEvent>();
  for (const event of events) {
    const saidId = eventIdOf(event.payload);
    if (event.kind === 'conflict') conflicts.set(event.recorded.id, event);
    else if (!first.has(saidId)) first.set(saidId, event);
  }
  return {
    conflict: (eventId) => conflicts.get(eventId) ?? null,
    contradicted: ({ payload }) => first.get(eventIdOf(payload)) ?? null,
  };
};

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
export const conflictLine = (eventId: EventId, among: Contradictions, personal: PersonalData): Html | null => {
  const conflict = among.conflict(eventId);
  const against = conflict === null ? null : among.contradicted(conflict);
  if (conflict === null || against === null) return null;
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

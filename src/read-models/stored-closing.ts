import * as t from 'io-ts';
import { EventIdText } from '../domain/ids.ts';
import { InstantText } from '../domain/instant.ts';
import { parseNatively } from '../domain/parse-json.ts';
import type { Closing } from './read-models.ts';

const ClosingCodec: { readonly is: t.Is<Closing> } = t.type({
  eventId: EventIdText,
  at: InstantText,
  by: t.string,
  note: t.string,
});

/** The text that a database keeps of who closed a quarantined delivery, its members always in this order. */
export const closingText = ({ eventId, at, by, note }: Closing): string => JSON.stringify({ eventId, at, by, note });

/** Reads what `closingText` wrote; null where it is none of today's shape. */
export const readClosing = (text: string): Closing | null => {
  const value = parseNatively(text);
  return ClosingCodec.is(value) ? value : null;
};

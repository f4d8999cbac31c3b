import type * as t from 'io-ts';
import { ownEventId } from '../event-id.ts';
import type { OwnEventType } from '../event-type.ts';
import { ownStream, type EventId, type OWN_STREAMS, type StreamName } from '../ids.ts';

/** One kind of event that the ledger writes of itself: where it belongs and how it is named follow from its data. */
export type OwnKind<T extends OwnEventType, A> = {
  readonly type: T;
  readonly data: { readonly is: t.Is<A> };
  readonly stream: keyof typeof OWN_STREAMS;
  /** What its stream is about: the rest of the stream's name. */
  readonly about: (data: A) => string;
  /** What tells it from others of its type in its stream; the same thing that comes twice has the same id. */
  readonly parts: (data: A) => readonly string[];
  /** What told it from others in ledgers of before, whose events keep their ids. */
  readonly formerParts?: (data: A) => readonly string[];
};

/** Where an event of the ledger itself belongs, and its id; `formerId`: the one that an earlier version would have given it. */
export type OwnPlace = {
  readonly stream: StreamName;
  readonly id: EventId;
  readonly formerId: EventId | null;
  readonly about: string;
};

export const placeOf = <T extends OwnEventType, A>(kind: OwnKind<T, A>, data: A): OwnPlace => {
  const about = kind.about(data);
  const stream = ownStream(kind.stream, about);
  const formerly = kind.formerParts?.(data);
  return {
    stream,
    id: ownEventId(kind.type, stream, kind.parts(data)),
    formerId: formerly === undefined ? null : ownEventId(kind.type, stream, formerly),
    about,
  };
};

/** The data of an event of this kind from its stored text; null where it is none. */
export const parseOwnData = <T extends OwnEventType, A>({ data }: OwnKind<T, A>, text: string): A | null => {
  try {
    const value: unknown = JSON.parse(text);
    return data.is(value) ? value : null;
  } catch {
    return null;
  }
};

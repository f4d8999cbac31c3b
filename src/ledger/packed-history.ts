import { branded } from '../domain/brand.ts';
import type { ConflictName, EventId, Position, Revision, Sha256 } from '../domain/ids.ts';
import { KnownEvents, type KnownEvent } from './known-events.ts';
import type { OrderHistory } from './order-history.ts';

const BLANK = ' ';
/** Parts of the text before those of events, and parts of each event. */
const [BEFORE, EACH] = [2, 5];
const ORDER_EVENT = '1';
/** Between kind and name of an event whose name is not its id. Nearly all orders have none of these, and no byte more for it. */
const NAMED = ':';
/** Packing and unpacking more would cost each delivery of their order too much. */
const MOST_EVENTS = 32;

/** What kind of event it is, and its name where that is not its id. */
const kindAndName = ({ eventId, name, isOrderEvent }: KnownEvent): string => {
  const kind = isOrderEvent ? ORDER_EVENT : '';
  return name === eventId ? kind : `${kind}${NAMED}${name}`;
};

/**
 * A history as one text, in which it takes a third of the memory: the garbage collector copies and looks through one
 * object in place of eight. Null where an id or a name holds a blank, which none does that the ledger made, or there are many events.
 */
export const packed = ({ flow, head, events }: OrderHistory): string | null => {
  if (events.length > MOST_EVENTS) return null;
  const parts: (string | number)[] = [head, flow];
  for (const event of events) {
    const { eventId, name, revision, position, bodySha256 } = event;
    if (eventId.includes(BLANK) || name.includes(BLANK)) return null;
    parts.push(eventId, revision, position, bodySha256 ?? '', kindAndName(event));
  }
  return parts.join(BLANK);
};

/** The head of a packed history. */
export const packedHead = (text: string): number => Number.parseInt(text, 10);

/** The history in a text that `packed` made. */
export const unpacked = (text: string): OrderHistory => {
  const parts = text.split(BLANK);
  const part = (at: number): string => parts[at] ?? '';
  const events: KnownEvent[] = [];
  for (let at = BEFORE; at < parts.length; at += EACH) {
    const eventId = branded<EventId>(part(at));
    const bodySha256 = part(at + 3);
    const [kind, ...name] = part(at + 4).split(NAMED);
    events.push({
      eventId,
      name: name.length === 0 ? eventId : branded<ConflictName>(name.join(NAMED)),
      revision: branded<Revision>(Number(part(at + 1))),
      position: branded<Position>(part(at + 2)),
      bodySha256: bodySha256 === '' ? null : branded<Sha256>(bodySha256),
      isOrderEvent: kind === ORDER_EVENT,
    });
  }
  const flow = part(1) === 'onramp' ? 'onramp' : 'offramp';
  return { flow, head: branded<Revision>(packedHead(text)), events: KnownEvents.of(events) };
};

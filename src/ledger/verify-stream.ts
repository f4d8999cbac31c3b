import { orderIdOfStream, type EventId, type OrderId, type StreamName } from '../domain/ids.ts';
import type { OrderPayload } from '../domain/payload.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { StreamEvents } from '../event-store/parted-log.ts';
import { proveEvent, verifyEvent, type EventProblem, type SecretKeyById } from './verify-event.ts';

/** One thing that is wrong with one stored event (docs/spec/command-line.md, verify). */
export type EventFailure = {
  readonly stream: StreamName;
  readonly revision: number;
  readonly eventId: EventId;
  /** Null in quarantine. */
  readonly orderId: OrderId | null;
  readonly problem: EventProblem | 'revision-out-of-order' | 'event-id-repeated' | 'not-in-its-stream';
};

/** What the events of some streams prove. */
export type StreamVerdict = {
  readonly failures: readonly EventFailure[];
  /** How many events have a secret that is not configured any more. All but their signature was checked; they are no failures. */
  readonly unknownSecrets: number;
};

/** What is wrong with an event, by its place. */
export const failureOf = (
  { stream, revision, id: eventId }: RecordedEvent,
  problem: EventFailure['problem'],
): EventFailure => ({ stream, revision, eventId, orderId: orderIdOfStream(stream), problem });

/**
 * The verdict on a stream, and the payloads that were read for it, so that the caller need not read them again: by the place
 * of their event, null where none was read.
 */
export type StreamProof = StreamVerdict & { readonly payloads: readonly (OrderPayload | null)[] };

/** Of longer streams the ids are kept in a set. Each text that a set is asked for enters V8's table of texts, which costs more than comparing a few. */
const FEW = 16;

/** Tells of the events of a stream, one by one, whether an event before had the same id. */
const repeats = (many: boolean): ((id: EventId) => boolean) => {
  if (!many) {
    const ids: EventId[] = [];
    return (id) => ids.includes(id) || ids.push(id) === 0;
  }
  const ids = new Set<EventId>();
  return (id) => ids.has(id) || ids.add(id).size === 0;
};

/**
 * Proves each event of a stream, that no revision is missing or doubled, and that no event of an order stands there twice:
 * a copy of one is authentic in itself, and the ledger answers it as a duplicate. Events of other streams in it
 * are proved as strays.
 *
 * @param onProved told of each event of the stream as soon as it was looked at
 */
export const verifyStream = (
  { stream, events }: StreamEvents,
  secretKey: SecretKeyById,
  onProved: (event: RecordedEvent) => void = () => undefined,
): StreamProof => {
  const failures: EventFailure[] = [];
  const payloads: (OrderPayload | null)[] = [];
  const isRepeated = repeats(events.length > FEW);
  const isOfOrder = orderIdOfStream(stream) !== null;
  let [next, unknownSecrets] = [0, 0];
  for (const event of events) {
    if (event.revision !== next) failures.push(failureOf(event, 'revision-out-of-order'));
    next = event.revision + 1;
    if (event.stream !== stream) {
      payloads.push(null);
      continue;
    }
    if (isOfOrder && isRepeated(event.id)) failures.push(failureOf(event, 'event-id-repeated'));
    const { verified, problems, payload } = proveEvent(event, secretKey);
    onProved(event);
    payloads.push(payload);
    for (const problem of problems) failures.push(failureOf(event, problem));
    if (verified === 'unknown-secret') unknownSecrets += 1;
  }
  return { failures, unknownSecrets, payloads };
};

/** Checks events that reading their own stream does not give. */
export const verifyStrays = (events: readonly RecordedEvent[], secretKey: SecretKeyById): StreamVerdict => {
  const failures: EventFailure[] = [];
  let unknownSecrets = 0;
  for (const event of events) {
    failures.push(failureOf(event, 'not-in-its-stream'));
    const { verified, problems } = verifyEvent(event, secretKey);
    for (const problem of problems) failures.push(failureOf(event, problem));
    if (verified === 'unknown-secret') unknownSecrets += 1;
  }
  return { failures, unknownSecrets };
};

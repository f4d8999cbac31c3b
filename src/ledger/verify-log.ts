import { either as E } from 'fp-ts';
import { isQuarantineStream, orderIdOfStream, type EventId, type OrderId, type StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { strayEvents } from './stray-events.ts';
import { verifyEvent, type EventProblem, type SecretKeyById } from './verify-event.ts';

/** One thing that is wrong with one stored event (contract.md, `verify`). */
type VerifyFailure = {
  readonly stream: StreamName;
  readonly revision: number;
  readonly eventId: EventId;
  /** Null in quarantine. */
  readonly orderId: OrderId | null;
  readonly problem: EventProblem | 'revision-out-of-order' | 'not-in-its-stream';
};

export type VerifyReport = {
  readonly events: number;
  readonly orders: number;
  readonly failures: readonly VerifyFailure[];
  /** Events whose secret is not configured any more: all but their signature was checked. No failure. */
  readonly unknownSecrets: number;
};

/** What is known of the streams so far: how many events each has, and the revision that comes next. */
class StreamHeads {
  readonly #next = new Map<StreamName, number>();
  readonly counts = new Map<StreamName, number>();
  orders = 0;

  /** Whether an event is the next one of its stream; from then on the one behind it is. */
  isNext({ stream, revision }: RecordedEvent): boolean {
    const expected = this.#next.get(stream) ?? 0;
    const count = this.counts.get(stream) ?? 0;
    if (count === 0 && !isQuarantineStream(stream)) this.orders += 1;
    this.counts.set(stream, count + 1);
    this.#next.set(stream, revision + 1);
    return revision === expected;
  }
}

const failureOf = (
  { stream, revision, id: eventId }: RecordedEvent,
  problem: VerifyFailure['problem'],
): VerifyFailure => ({ stream, revision, eventId, orderId: orderIdOfStream(stream), problem });

/**
 * Proves the whole log anew, event by event: signatures, digests, ids, types, and that no revision is missing or doubled,
 * and that every stream gives all of its events. Everything that is wrong is named; a store that fails ends it.
 *
 * @param onProgress told the number of events checked so far, after each
 */
export const verifyLog = async (
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  secretKey: SecretKeyById,
  onProgress: (events: number) => void,
): Promise<E.Either<StoreUnavailable, VerifyReport>> => {
  const heads = new StreamHeads();
  const failures: VerifyFailure[] = [];
  let [events, unknownSecrets] = [0, 0];
  for await (const read of store.readAll(null)) {
    if (E.isLeft(read)) return read;
    const event = read.right;
    const { verified, problems } = verifyEvent(event, secretKey);
    const found: VerifyFailure['problem'][] = [...problems];
    if (!heads.isNext(event)) found.push('revision-out-of-order');
    failures.push(...found.map((problem) => failureOf(event, problem)));
    if (verified === 'unknown-secret') unknownSecrets += 1;
    events += 1;
    onProgress(events);
  }
  const strays = await strayEvents(store, heads.counts);
  if (E.isLeft(strays)) return strays;
  failures.push(...strays.right.map((event) => failureOf(event, 'not-in-its-stream')));
  return E.right({ events, orders: heads.orders, failures, unknownSecrets });
};

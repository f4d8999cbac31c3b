import * as E from 'fp-ts/lib/Either.js';
import type { Pause } from '../concurrency/wait.ts';
import { branded } from '../domain/brand.ts';
import type { Revision } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { AppendError, EventStore } from '../event-store/event-store.ts';
import { storeFailed, streamRevision, type MigrationFailure } from './migrate-failure.ts';
import { Patience } from './migrate-patience.ts';

/** Where copied events go. */
export type MigrationTarget = {
  readonly target: Pick<EventStore, 'append'>;
  /**
   * Appends that are sent before the first is answered. More than one only to a store that takes them in the order of
   * sending, and none behind one that failed.
   */
  readonly inFlight: number;
  readonly pause: Pause;
};

const append = (
  target: Pick<EventStore, 'append'>,
  { stream, revision, id, type, data, metadata, rawBody }: RecordedEvent,
) =>
  target.append(stream, revision === 0 ? 'none' : branded<Revision>(revision - 1), [
    { id, type, data: Buffer.from(data), metadata: Buffer.from(metadata), rawBody },
  ])();

const failureOf = (event: RecordedEvent, error: AppendError): MigrationFailure => {
  if (error._tag === 'StoreUnavailable') return storeFailed('target', error);
  return error._tag === 'AppendRefused'
    ? { _tag: 'EventRefused', ...streamRevision(event), detail: error.detail }
    : { _tag: 'TargetDiffers', ...streamRevision(event) };
};

/** The first of them that failed, and how. */
type FirstFailed = { readonly at: number; readonly failure: MigrationFailure };

const sendAll = async (
  target: Pick<EventStore, 'append'>,
  events: readonly RecordedEvent[],
): Promise<FirstFailed | null> => {
  const answers = await Promise.all(
    events.map(async (event) => {
      const answer = await append(target, event);
      return E.isLeft(answer) ? failureOf(event, answer.left) : null;
    }),
  );
  const at = answers.findIndex((failure) => failure !== null);
  const failure = answers[at] ?? null;
  return failure === null ? null : { at, failure };
};

/** Appends some events in their order. After a failure nothing is sent until all answers are there; then it goes on at the first that failed. */
const appendAll = async (
  { target, pause }: MigrationTarget,
  events: readonly RecordedEvent[],
): Promise<E.Either<MigrationFailure, void>> => {
  const patience = new Patience(pause);
  let left = events;
  for (;;) {
    const failed = await sendAll(target, left);
    if (failed === null) return E.right(undefined);
    if (failed.failure._tag !== 'StoreAway') return E.left(failed.failure);
    if (failed.at > 0) patience.renew();
    left = left.slice(failed.at);
    if (!(await patience.wait())) return E.left(failed.failure);
  }
};

/**
 * Appends events in the order in which they come, each at the very revision that it has in the source.
 *
 * @param onAppended told of events once they are durable, in their order
 */
export const appendInOrder = async (
  to: MigrationTarget,
  events: AsyncIterable<E.Either<MigrationFailure, RecordedEvent>>,
  onAppended: (events: readonly RecordedEvent[]) => void,
): Promise<E.Either<MigrationFailure, void>> => {
  let gathered: RecordedEvent[] = [];
  const appendGathered = async (): Promise<E.Either<MigrationFailure, void>> => {
    const appended = await appendAll(to, gathered);
    if (E.isRight(appended)) onAppended(gathered);
    gathered = [];
    return appended;
  };
  for await (const event of events) {
    if (E.isLeft(event)) {
      // What was read before is good: the next run has less to do.
      const appended = await appendGathered();
      return E.isLeft(appended) ? appended : event;
    }
    if (gathered.push(event.right) < to.inFlight) continue;
    const appended = await appendGathered();
    if (E.isLeft(appended)) return appended;
  }
  return appendGathered();
};

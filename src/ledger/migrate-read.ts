import * as E from 'fp-ts/lib/Either.js';
import type { Pause } from '../concurrency/wait.ts';
import type { Position } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { storeFailed, type MigrationFailure, type MigrationSide } from './migrate-failure.ts';
import { Patience } from './migrate-patience.ts';

/** Events in the order of their log; a failure is the last. */
export type PatientEvents = AsyncGenerator<E.Either<MigrationFailure, RecordedEvent>, void, undefined>;

/** Waits for the next try; false, at once, where there is none, or it would end alike. */
const mayPass = ({ reason }: StoreUnavailable, patience: Patience): Promise<boolean> =>
  reason === 'Damaged' ? Promise.resolve(false) : patience.wait();

/** The last position of the source; null for an empty log. */
export const headPatiently = async (
  source: Pick<EventStore, 'head'>,
  pause: Pause,
): Promise<E.Either<MigrationFailure, Position | null>> => {
  const patience = new Patience(pause);
  for (;;) {
    const head = await source.head()();
    if (E.isRight(head)) return head;
    if (!(await mayPass(head.left, patience))) return E.left(storeFailed('source', head.left));
  }
};

const ENDED_EARLY: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'its log ended before its last event' };

/** Everything in the target; after a failed read it goes on behind the last event that came. */
export const readTarget = (target: Pick<EventStore, 'readAll'>, pause: Pause): PatientEvents =>
  read(target, 'target', null, pause);

/** Everything in the source up to a position, and nothing that is appended meanwhile; null: nothing. */
export async function* readSource(
  source: Pick<EventStore, 'readAll'>,
  upTo: Position | null,
  pause: Pause,
): PatientEvents {
  if (upTo !== null) yield* read(source, 'source', upTo, pause);
}

async function* read(
  log: Pick<EventStore, 'readAll'>,
  side: MigrationSide,
  upTo: Position | null,
  pause: Pause,
): PatientEvents {
  const patience = new Patience(pause);
  let after: Position | null = null;
  for (;;) {
    let failed: StoreUnavailable | null = upTo === null ? null : ENDED_EARLY;
    for await (const event of log.readAll(after)) {
      if (E.isLeft(event)) {
        failed = event.left;
        break;
      }
      patience.renew();
      after = event.right.position;
      yield event;
      if (after === upTo) return;
    }
    if (failed === null) return;
    if (!(await mayPass(failed, patience))) {
      yield E.left(storeFailed(side, failed));
      return;
    }
  }
}

import * as E from 'fp-ts/lib/Either.js';
import type { Position, StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { appendInOrder, type MigrationTarget } from './migrate-append.ts';
import { compareLogs } from './migrate-compare.ts';
import { streamRevision, type MigrationFailure } from './migrate-failure.ts';
import { headPatiently, readSource, readTarget, type PatientEvents } from './migrate-read.ts';

/** The two logs of a migration. */
export type MigrationLogs = MigrationTarget & {
  readonly source: Pick<EventStore, 'head' | 'readAll'>;
  readonly target: Pick<EventStore, 'append' | 'readAll'>;
};

/** What the target holds in the end. `verified`: both logs were read again, and every event is the same in both. */
export type Migrated = { readonly events: number; readonly streams: number; readonly verified: true };

/** What is under way: copying, and then the comparison of both logs. */
export type MigrationPhase = 'copy' | 'verify';

/** Told how far a phase is: the position in the source that it has reached, the last one, and the events so far. */
export type OnMigrationProgress = (phase: MigrationPhase, position: Position, last: Position, events: number) => void;

/** Counts events and streams, and sees that each event follows on the one before it in its stream. */
class StreamHeads {
  readonly #heads = new Map<StreamName, number>();
  #events = 0;

  get events(): number {
    return this.#events;
  }

  get streams(): number {
    return this.#heads.size;
  }

  readonly add = (event: RecordedEvent): E.Either<MigrationFailure, void> => {
    if (event.revision !== (this.#heads.get(event.stream) ?? -1) + 1) {
      return E.left({ _tag: 'SourceBroken', ...streamRevision(event) });
    }
    this.#heads.set(event.stream, event.revision);
    this.#events += 1;
    return E.right(undefined);
  };
}

/** An event that was read ahead, and those behind it, each seen to follow on in its stream. */
async function* following(first: RecordedEvent, rest: PatientEvents, heads: StreamHeads): PatientEvents {
  yield E.chain((): E.Either<MigrationFailure, RecordedEvent> => E.right(first))(heads.add(first));
  for await (const event of rest) {
    const followsOn = E.chain(heads.add)(event);
    if (E.isLeft(followsOn)) {
      yield followsOn;
      return;
    }
    yield event;
  }
}

type Report = (phase: MigrationPhase, position: Position, events: number) => void;

/** Compares what the target holds, and copies what is missing behind it. */
const copy = async (
  logs: MigrationLogs,
  upTo: Position | null,
  report: Report,
): Promise<E.Either<MigrationFailure, void>> => {
  const heads = new StreamHeads();
  const source = readSource(logs.source, upTo, logs.pause);
  try {
    const compared = await compareLogs(source, readTarget(logs.target, logs.pause), (event) => {
      const added = heads.add(event);
      report('copy', event.position, heads.events);
      return added;
    });
    if (E.isLeft(compared)) return compared;
    if (compared.right.next === null) return E.right(undefined);
    let appended = heads.events;
    return await appendInOrder(logs, following(compared.right.next, source, heads), (events) => {
      const last = events.at(-1);
      appended += events.length;
      if (last !== undefined) report('copy', last.position, appended);
    });
  } finally {
    await source.return();
  }
};

/** Reads both logs again: the target must hold every event of the source, and nothing else. */
const verify = async (
  logs: MigrationLogs,
  upTo: Position | null,
  report: Report,
): Promise<E.Either<MigrationFailure, Migrated>> => {
  const heads = new StreamHeads();
  const source = readSource(logs.source, upTo, logs.pause);
  try {
    const compared = await compareLogs(source, readTarget(logs.target, logs.pause), (event) => {
      const added = heads.add(event);
      report('verify', event.position, heads.events);
      return added;
    });
    if (E.isLeft(compared)) return compared;
    const { next } = compared.right;
    return next === null
      ? E.right({ events: heads.events, streams: heads.streams, verified: true })
      : E.left({ _tag: 'TargetDiffers', ...streamRevision(next) });
  } finally {
    await source.return();
  }
};

/**
 * Copies a ledger up to its head of now (docs/spec/command-line.md, migrate): the same events at the same revisions in
 * the same order. A target that holds the beginning of the source is gone on with, so that a migration that was cut off
 * anywhere is resumed by the same one; any other is refused, and nothing is written to it.
 */
export const migrate = async (
  logs: MigrationLogs,
  onProgress: OnMigrationProgress,
): Promise<E.Either<MigrationFailure, Migrated>> => {
  const head = await headPatiently(logs.source, logs.pause);
  if (E.isLeft(head)) return head;
  const upTo = head.right;
  const report: Report = (phase, position, events) => {
    if (upTo !== null) onProgress(phase, position, upTo, events);
  };
  const copied = await copy(logs, upTo, report);
  return E.isLeft(copied) ? copied : verify(logs, upTo, report);
};

import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata, type EventMetadata } from './event-metadata.ts';
import type { RecordedEvent } from './recorded-event.ts';

/**
 * A stored event that can't be read as the ledger wrote it: damaged, or written by something else. It says where the event
 * stands and nothing of what it holds, so that it may be logged and sent to other threads.
 */
export type UnreadableEvent = Pick<RecordedEvent, 'stream' | 'revision'> & {
  readonly _tag: 'UnreadableEvent';
  readonly problem: string;
};

export const unreadableEvent = (
  { stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>,
  problem: string,
): UnreadableEvent => ({ _tag: 'UnreadableEvent', stream, revision, problem });

/** An event whose metadata is damaged. */
export const withDamagedMetadata = (recorded: Pick<RecordedEvent, 'stream' | 'revision'>): UnreadableEvent =>
  unreadableEvent(recorded, 'its metadata is not what the ledger writes');

/** The metadata of an event, or that it is damaged. */
export const metadataOf = (recorded: RecordedEvent): E.Either<UnreadableEvent, EventMetadata> =>
  E.fromNullable(withDamagedMetadata(recorded))(parseMetadata(recorded.metadata));

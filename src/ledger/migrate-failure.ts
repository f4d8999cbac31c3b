import type { Revision, StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';

/** One of the two logs of a migration. */
export type MigrationSide = 'source' | 'target';

type At = { readonly stream: StreamName; readonly revision: Revision };

/** Why a ledger was not copied, or not wholly. */
export type MigrationFailure =
  /** The target holds something else than the source there. What is there stays as it is. */
  | ({ readonly _tag: 'TargetDiffers' } & At)
  /** The source's event does not follow on the one before it in its stream. */
  | ({ readonly _tag: 'SourceBroken' } & At)
  /** The target will never take the event. */
  | ({ readonly _tag: 'EventRefused'; readonly detail: string } & At)
  /** A store stayed away for about a minute; the same migration goes on later. */
  | { readonly _tag: 'StoreAway'; readonly side: MigrationSide; readonly detail: string };

/** The stream of an event, and its revision in it. */
export const streamRevision = ({ stream, revision }: RecordedEvent): At => ({ stream, revision });

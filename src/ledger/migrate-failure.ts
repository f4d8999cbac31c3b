import type { Revision, StreamName } from '../domain/ids.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
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
  | { readonly _tag: 'StoreAway'; readonly side: MigrationSide; readonly detail: string }
  /** Pages of a store's file are not what was written: it is as bad at each later try. */
  | { readonly _tag: 'StoreDamaged'; readonly side: MigrationSide; readonly detail: string };

/** What the failure of a store means to a migration. */
export const storeFailed = (side: MigrationSide, { reason, detail }: StoreUnavailable): MigrationFailure => ({
  _tag: reason === 'Damaged' ? 'StoreDamaged' : 'StoreAway',
  side,
  detail,
});

/** The stream of an event, and its revision in it. */
export const streamRevision = ({ stream, revision }: RecordedEvent): At => ({ stream, revision });

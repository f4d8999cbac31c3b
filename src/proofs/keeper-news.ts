import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { isOutage, type StoreUnavailable } from '../event-store/event-store.ts';
import type { WitnessState } from './witness/witness-state.ts';

/** What a keeper tells. */
export type KeeperNews =
  /** A checkpoint is signed and durable; `position` is that of its last event, null for a log without any. */
  | {
      readonly _tag: 'LogSigned';
      /** The name of the log, which is another one after a loss was accepted. */
      readonly origin: string;
      readonly note: string;
      readonly size: number;
      readonly position: Position | null;
      readonly signedAt: Instant;
    }
  /** The log does not contain a checkpoint that was signed: nothing is signed any more. */
  | { readonly _tag: 'LogLost'; readonly detail: string }
  /** Keys that signed checkpoints are not among those that are kept: nobody here can verify what they signed. Signing goes on. */
  | { readonly _tag: 'LogKeysGone'; readonly keys: readonly string[] }
  /** Pieces of the tree's files, so many, were not as the events of the log make them, and are now. */
  | { readonly _tag: 'LogTreeMended'; readonly pieces: number }
  /** How it stands with a witness now. */
  | { readonly _tag: 'Witnessed'; readonly witness: WitnessState }
  /** It could not be kept up; it is tried again within seconds. `isOutage`: the event store could not be asked. */
  | { readonly _tag: 'LogFailed'; readonly detail: string; readonly isOutage: boolean };

/** Whether it is a keeper that tells this, among all else that a thread tells. */
export const isKeeperNews = (news: KeeperNews | { readonly _tag: string }): news is KeeperNews =>
  news._tag === 'LogSigned' ||
  news._tag === 'LogLost' ||
  news._tag === 'LogKeysGone' ||
  news._tag === 'LogTreeMended' ||
  news._tag === 'LogFailed' ||
  news._tag === 'Witnessed';

/** That the tree of the log could not be kept up, since the log could not be read. */
export const logUnread = (failure: StoreUnavailable): KeeperNews => ({
  _tag: 'LogFailed',
  detail: failure.detail,
  isOutage: isOutage(failure),
});

/** That the tree of the log could not be kept up, for an error that was thrown. */
export const logFailed = (error: unknown): KeeperNews => ({
  _tag: 'LogFailed',
  detail: error instanceof Error ? error.message : String(error),
  isOutage: false,
});

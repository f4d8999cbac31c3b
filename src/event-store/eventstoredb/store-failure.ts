import {
  AccessDeniedError,
  DeadlineExceededError,
  InvalidArgumentError,
  isCommandError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { StoreUnavailable } from '../event-store.ts';
import { tlsTrouble } from './tls-trouble.ts';

/** What the client's errors mean to the ledger. */
export type StoreFailure =
  /** The stream is at another revision; null: there is none. */
  | { readonly _tag: 'WrongExpectedVersion'; readonly actual: bigint | null }
  /** It will be refused however often it is sent. */
  | { readonly _tag: 'Refused'; readonly detail: string }
  | { readonly _tag: 'StreamNotFound' }
  /** Deleted for good, by a tombstone. */
  | { readonly _tag: 'StreamDeleted' }
  /** What was to be read from is the place of no event. */
  | { readonly _tag: 'NoSuchPosition' }
  /** No answer in time: what was asked may have been done, and asking again at once is of no use. */
  | { readonly _tag: 'TooLate'; readonly detail: string }
  /** Another node leads. The client goes there with its next call. */
  | { readonly _tag: 'NotLeader'; readonly detail: string }
  /** Nothing is known of what was asked: it may have been done or not. */
  | { readonly _tag: 'Unavailable'; readonly detail: string; readonly reason?: 'AccessDenied' };

/** Of gRPC: what was asked is malformed. */
const INVALID_ARGUMENT = 3;

/** What gRPC says behind the cause: nothing, as it has none. */
const NOTE = ' Resolution note:';
/** And before it, another time each time. */
const AT = / \([\dTZ:.-]{1,40}\)\.?$/;

const onOneLine = (message: string): string => {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  const note = line.indexOf(NOTE);
  return (note === -1 ? line : line.slice(0, note).replace(AT, '')).slice(0, 200);
};

/** Without anything of the connection string, which may hold a password. */
const detailOf = (error: unknown): string => {
  const trouble = error instanceof Error ? tlsTrouble(error.message) : null;
  if (trouble !== null) return trouble;
  if (error instanceof Error && isCommandError(error)) {
    const message = onOneLine(error.message);
    return message === '' ? error.type : `${error.type}: ${message}`;
  }
  return onOneLine(error instanceof Error ? error.message : String(error));
};

const codeOf = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number' ? error.code : null;

export const storeFailure = (error: unknown): StoreFailure => {
  const detail = detailOf(error);
  if (error instanceof WrongExpectedVersionError) {
    return {
      _tag: 'WrongExpectedVersion',
      actual: typeof error.actualVersion === 'bigint' ? error.actualVersion : null,
    };
  }
  if (error instanceof StreamNotFoundError) return { _tag: 'StreamNotFound' };
  if (error instanceof StreamDeletedError) return { _tag: 'StreamDeleted' };
  if (error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError) {
    return { _tag: 'Refused', detail };
  }
  if (error instanceof NotLeaderError) return { _tag: 'NotLeader', detail };
  if (error instanceof DeadlineExceededError) return { _tag: 'TooLate', detail };
  if (error instanceof AccessDeniedError) {
    const cause = 'access denied: see the user in EVENT_STORE_URL and the ACLs of the server';
    return { _tag: 'Unavailable', detail: cause, reason: 'AccessDenied' };
  }
  if (/invalid position/i.test(detail)) return { _tag: 'NoSuchPosition' };
  if (codeOf(error) === INVALID_ARGUMENT || /bad ?request/i.test(detail)) return { _tag: 'Refused', detail };
  return { _tag: 'Unavailable', detail };
};

export const unavailable = (detail: string): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  detail: `EventStoreDB: ${detail}`,
});

/** A failure of reading as the port names it. */
export const asUnavailable = (failure: StoreFailure): StoreUnavailable => ({
  ...unavailable('detail' in failure ? failure.detail : `it answered ${failure._tag}`),
  ...('reason' in failure ? { reason: failure.reason } : {}),
});

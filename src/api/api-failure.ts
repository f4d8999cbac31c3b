import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { BodyUnread } from '../http/request-body.ts';

/** Whoever asks shows no API key that is valid. `basic`: whether it may come as a password too. */
export type Unauthorized = {
  readonly _tag: 'Unauthorized';
  readonly key: 'missing' | 'invalid';
  readonly basic: boolean;
};

/** A delivery could not be accepted now. `detail`: for operators. */
type NotReady = { readonly _tag: 'NotReady'; readonly detail: string };

/** What the interface answers in place of what was asked for. */
export type ApiFailure = QueryFailure | Unauthorized | NotReady | BodyUnread;

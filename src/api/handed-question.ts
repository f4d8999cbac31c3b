import type * as E from 'fp-ts/lib/Either.js';
import type { RequestId } from '../domain/ids.ts';
import type { ParameterTexts } from '../queries/parameters/parameters.ts';
import type { ApiFailure } from './api-failure.ts';

/** A question as it is handed to another thread, from a caller who may ask it. Plain data. */
export type HandedQuestion = {
  /** The path of the request. */
  readonly path: string;
  readonly texts: ParameterTexts;
  readonly scopes: readonly string[];
  readonly requestId: RequestId;
  readonly keyId: string;
  /** As in `Question`. */
  readonly prefers: string | null;
};

/** An answer that was written elsewhere, to be sent as it is. Plain data. */
export type WrittenReply = {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/**
 * Lets another thread answer the question of a route, by its id; null where there is none now, so that this one must. Large
 * answers are read, folded and written for seconds, while the thread that receives may be held for milliseconds.
 */
export type HandOver = (
  routeId: string,
  question: HandedQuestion,
) => Promise<E.Either<ApiFailure, WrittenReply> | null>;

import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { AccessEnded } from '../queries/failure/query-failure.ts';
import type { Reader } from '../access/reader.ts';
import type { RequestId } from '../domain/ids.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import type { ParameterTable, ParameterTexts, Query } from '../queries/parameters/parameters.ts';
import type { InPath } from '../queries/parameters/path-parameters.ts';
import type { BodyUnread } from '../http/request-body.ts';

/** A question from a caller who may ask it. */
export type Question<Path extends string, T extends ParameterTable> = {
  readonly inPath: InPath<Path>;
  readonly query: Query<T>;
  /** The query as it came. */
  readonly texts: ParameterTexts;
  readonly personal: PersonalData;
  /** Those of the caller's key. */
  readonly scopes: ReadonlySet<string>;
  /** Who asks, for as long as their key is valid. */
  readonly reader: Reader;
  readonly requestId: RequestId;
  /** The id of the key that the caller showed. */
  readonly keyId: string;
  /** The bytes of the body, where the route takes one; read when they are asked for, once. */
  readonly body: TE.TaskEither<BodyUnread | AccessEnded, Buffer>;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: () => boolean;
  /** A header of the request; empty where it was not sent. */
  readonly header: (name: string) => string;
  /** The media type of the route's that the caller likes best; the first where they don't say, null where they like none. */
  readonly prefers: () => string | null;
  /** Whether the caller likes an answer better that is packed with gzip. */
  readonly prefersGzip: () => boolean;
};

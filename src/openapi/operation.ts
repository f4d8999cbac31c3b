import type { JsonObject } from '../domain/json.ts';
import type { ProblemCode } from './problem-codes.ts';
import type { Codec } from './schema-of.ts';

/** The groups that operations are shown in, in this order. */
export const TAGS = {
  Receiving: 'Signed deliveries of the provider.',
  Orders: 'Orders and their events, with the bytes that the provider signed.',
  Reports: 'Sums over orders for finance.',
  Reconciliation: 'Orders, bank lines and transfers on chain brought together, and what was decided of them.',
  Periods: 'Months that are closed for good, and what came after.',
  Audit: 'What was received, when, and whether it is still what was signed.',
  Exports: 'Whole lists as files, each of one position, with a manifest to hold it against.',
  Proofs: 'What proves the history of the log to somebody who trusts nobody.',
  Statements: 'Bank files and transfers on chain, which orders are held against.',
  Quarantine: 'Authentic deliveries that no order event could be read from.',
  Operating: 'For load balancers, monitoring and tools.',
} as const;

type Tag = keyof typeof TAGS;

/** A parameter of an operation: of the query unless it stands in the path or is a header. */
export type ParameterDoc = {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  /** It stands in the path, and is all that is left of it, slashes too. */
  readonly rest?: true;
};

/** A header that an answer has; always, unless it is said not to be required. */
export type HeaderDoc = { readonly description: string; readonly schema: JsonObject; readonly required?: false };

/** What an answer can be; JSON by its codec, anything else by a schema. */
export type ContentDoc =
  | { readonly type: 'application/json'; readonly codec: Codec }
  | { readonly type: string; readonly schema: JsonObject };

/** An answer that is no problem. */
export type AnswerDoc = {
  readonly status: number;
  readonly description: string;
  readonly headers: Readonly<Record<string, HeaderDoc>>;
  readonly contents: readonly ContentDoc[];
};

/** A body that a request brings, or a webhook: one of these. */
export type BodyDoc = {
  readonly description: string;
  /** JSON by these codecs. */
  readonly codecs: readonly Codec[];
  /** Other forms. */
  readonly others?: readonly Exclude<ContentDoc, { readonly codec: unknown }>[];
};

/** All that is known of a route beside what it does. */
export type Operation = {
  /** Names it for generated clients, and finds its examples. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'delete';
  /** `/v1/orders/{orderId}` */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** The caller's API key needs each of them; none: no key at all. */
  readonly scopes: readonly string[];
  readonly parameters: readonly ParameterDoc[];
  readonly body?: BodyDoc;
  readonly answers: readonly AnswerDoc[];
  readonly problems: readonly ProblemCode[];
};

import * as t from 'io-ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import { isJsonNumber, isJsonObject, type JsonNumber, type JsonObject } from '../../domain/json.ts';
import { checkedBy, described } from '../../openapi/described.ts';

const AMOUNT = String.raw`^-?\d+(\.\d+)?$`;

/** An amount in plain decimal notation, so that no digit is lost (docs/spec/http.md, Amounts and times). */
export const amount = (description: string): t.Type<string> => described(t.string, description, { pattern: AMOUNT });

export const amountOrNull = (description: string): t.Type<string | null> =>
  described(t.union([t.string, t.null]), description, { pattern: AMOUNT });

export const text = (description: string): t.Type<string> => described(t.string, description);

export const textOrNull = (description: string): t.Type<string | null> =>
  described(t.union([t.string, t.null]), description);

/** ISO 8601 in UTC, with as many digits of the second as came. */
export const instant = (description: string): t.Type<string> =>
  described(t.string, description, { format: 'date-time' });

export const instantOrNull = (description: string): t.Type<string | null> =>
  described(t.union([t.string, t.null]), description, { format: 'date-time' });

export const day = (description: string): t.Type<string | null> =>
  described(t.union([t.string, t.null]), description, { format: 'date' });

export const count = (description: string, minimum = 0): t.Type<number> =>
  described(t.number, description, { type: 'integer', minimum });

export const sha256 = (description: string): t.Type<string> =>
  described(t.string, description, { pattern: '^[0-9a-f]{64}$' });

export const uuid = (description: string): t.Type<string> => described(t.string, description, { format: 'uuid' });

/** A number with the digits that came, however many. */
export const chainId: t.Type<JsonNumber> = checkedBy<JsonNumber>('chainId', isJsonNumber, {
  type: 'number',
  description: 'The chain, with the digits that came.',
});

/** Whatever members came. */
export const anyObject = (description: string): t.Type<JsonObject> =>
  checkedBy<JsonObject>('object', isJsonObject, { type: 'object', description, additionalProperties: true });

/** One of some words. */
export const oneOfWords = <A extends string>(words: readonly A[], description: string): t.Type<A> =>
  checkedBy<A>(`one of ${words.join(', ')}`, (u): u is A => words.some((word) => word === u), {
    type: 'string',
    enum: words,
    description,
  });

export const flow: t.Type<Flow> = oneOfWords(FLOWS, 'Fiat to crypto, or crypto to fiat.');

import { canonicalJson } from './canonical-json.ts';
import type { Sha256 } from './ids.ts';
import type { JsonObject } from './json.ts';
import { upperAscii } from './letter-case.ts';
import type { OrderPayload } from './payload.ts';
import { sha256 } from './sha256.ts';

const digestWith = ({ updated_at: _updatedAt, utr, ...rest }: JsonObject, currency: string): Sha256 =>
  sha256(canonicalJson({ ...rest, currency, ...(utr === undefined || utr === null || utr === '' ? {} : { utr }) }));

/**
 * Digest of what a delivery says: all its fields but the provider's `updated_at`. Order of members, blanks, escapes,
 * and the spelling of a number, of the currency or of an absent utr make no difference (docs/spec/domain.md, Decision).
 */
export const factsDigest = (payload: OrderPayload): Sha256 => digestWith(payload, upperAscii(payload.currency));

/**
 * Every digest that a conflicting delivery may have been kept under: ledgers before 2026-11-23 took `ı` for `I` in a
 * currency, and what they kept keeps its id.
 */
export const factsDigestsEver = (payload: OrderPayload): readonly Sha256[] => {
  const [today, once] = [upperAscii(payload.currency), payload.currency.toUpperCase()];
  return today === once ? [factsDigest(payload)] : [factsDigest(payload), digestWith(payload, once)];
};

import { canonicalJson } from './canonical-json.ts';
import type { Sha256 } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { OrderPayload } from './payload.ts';
import { sha256 } from './sha256.ts';

/**
 * Digest of what a delivery says: all its fields but the provider's `updated_at`. Order of members, blanks, escapes,
 * and the spelling of a number, of the currency or of an absent utr make no difference (docs/spec/domain.md, Decision).
 */
export const factsDigest = (payload: OrderPayload): Sha256 => {
  const { updated_at: _updatedAt, utr, ...rest }: JsonObject = payload;
  const facts: JsonObject = {
    ...rest,
    currency: payload.currency.toUpperCase(),
    ...(utr === undefined || utr === null || utr === '' ? {} : { utr }),
  };
  return sha256(canonicalJson(facts));
};

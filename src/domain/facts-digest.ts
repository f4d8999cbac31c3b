import { canonicalJson } from './canonical-json.ts';
import type { Sha256 } from './ids.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { OrderPayload } from './payload.ts';
import { sha256 } from './sha256.ts';

/**
 * Digest of what a delivery says: all its fields but the provider's `updated_at`. Order of members, blanks, escapes, and
 * the spelling of a number, of the currency or of an absent utr make no difference (design.md, Decision).
 */
export const factsDigest = (payload: OrderPayload): Sha256 => {
  const { updated_at: _updatedAt, utr, currency, ...rest }: JsonObject = payload;
  const facts: Record<string, JsonValue> = { ...rest, currency: String(currency).toUpperCase() };
  if (utr !== undefined && utr !== null && utr !== '') facts['utr'] = utr;
  return sha256(canonicalJson(facts));
};

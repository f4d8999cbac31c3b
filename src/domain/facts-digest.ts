import { canonicalMembers } from './canonical-json.ts';
import type { Sha256 } from './ids.ts';
import type { JsonObject } from './json.ts';
import { upperAscii } from './letter-case.ts';
import type { OrderPayload } from './payload.ts';
import { sha256 } from './sha256.ts';

/** What is no fact, or is told in one spelling of many. */
const APART: ReadonlySet<string> = new Set(['updated_at', 'utr', 'currency']);

const digestWith = (payload: JsonObject, currency: string): Sha256 => {
  const { utr } = payload;
  const members = Object.entries(payload).filter(([name]) => !APART.has(name));
  members.push(['currency', currency]);
  if (utr !== undefined && utr !== null && utr !== '') members.push(['utr', utr]);
  return sha256(canonicalMembers(members));
};

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

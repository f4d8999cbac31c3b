import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata } from '../../domain/event-metadata.ts';
import type { Position, SecretId } from '../../domain/ids.ts';
import { epochMsOf } from '../../domain/instant.ts';
import type { EventHeader } from '../../domain/recorded-event.ts';
import type { Examination, ExaminationFailure } from '../../event-store/examination.ts';
import { proveEvent, type SecretKeyById } from '../../ledger/verify-event.ts';

/** Where the newest event of each secret is, of those that came before a moment. */
const newestOfEach = (newestFirst: readonly EventHeader[], beforeMs: number): ReadonlyMap<SecretId, Position> => {
  const places = new Map<SecretId, Position>();
  for (const { metadata, position } of newestFirst) {
    const read = parseMetadata(metadata);
    if (read === null || places.has(read.secretId) || epochMsOf(read.receivedAt) >= beforeMs) continue;
    places.set(read.secretId, position);
  }
  return places;
};

/**
 * The secrets whose newest event is whole and is not signed with the value that they have now: their names were given another value, so
 * that `verify` calls what the former one signed forged. One event is proved of each. Of a damaged one the signature says nothing.
 *
 * @param newestFirst headers of the last events
 * @param beforeMs in ms since the epoch: what came since may be signed with the other value already
 */
export const unprovenSecrets = async (
  { at }: Pick<Examination, 'at'>,
  newestFirst: readonly EventHeader[],
  keyOf: SecretKeyById,
  beforeMs = Number.POSITIVE_INFINITY,
): Promise<E.Either<ExaminationFailure, readonly SecretId[]>> => {
  const unproven: SecretId[] = [];
  for (const [id, position] of newestOfEach(newestFirst, beforeMs)) {
    if (keyOf(id) === null) continue;
    const event = await at(position)();
    if (E.isLeft(event)) return event;
    const problems = event.right === null ? [] : proveEvent(event.right, keyOf).problems;
    if (problems.length === 1 && problems[0] === 'signature-mismatch') unproven.push(id);
  }
  return E.right(unproven);
};

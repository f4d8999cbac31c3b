import { either as E } from 'fp-ts';
import { parseMetadata } from '../../domain/event-metadata.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LedgerEvent, UnreadableEvent } from '../../domain/ledger-event.ts';
import { masked } from '../masking.ts';
import type { PersonalData } from './order-resource.ts';

/**
 * An event as callers see it (contract.md, An event). Its data is read from the signed bytes, each number with the digits
 * that came. Left where its metadata is damaged.
 */
export const eventResource = (
  { recorded, payload }: LedgerEvent,
  personal: PersonalData,
): E.Either<UnreadableEvent, JsonObject> => {
  const metadata = parseMetadata(recorded.metadata);
  if (metadata === null) {
    return E.left({ _tag: 'UnreadableEvent', recorded, problem: 'its metadata is not what the ledger writes' });
  }
  return E.right({
    stream: recorded.stream,
    revision: recorded.revision,
    position: recorded.position,
    eventId: recorded.id,
    type: recorded.type,
    recordedAt: recorded.recordedAt,
    data: personal === 'shown' ? payload : masked(payload),
    metadata: {
      schemaVersion: metadata.schemaVersion,
      receivedAt: metadata.receivedAt,
      signature: metadata.signature,
      secretId: metadata.secretId,
      bodySha256: metadata.bodySha256,
      recordSha256: metadata.recordSha256,
      requestId: metadata.requestId,
      $correlationId: metadata.$correlationId,
    },
  });
};

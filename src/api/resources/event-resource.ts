import type { JsonObject } from '../../domain/json.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import { masked } from '../masking.ts';
import type { PersonalData } from './order-resource.ts';

/** An event as callers see it (contract.md, An event). Its data is read from the signed bytes, each number with the digits that came. */
export const eventResource = ({ recorded, metadata, payload }: LedgerEvent, personal: PersonalData): JsonObject => ({
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

import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ProposedEvent } from './event-log.ts';

/** An event of either append call, as it came over the wire. */
export const proposedEvent = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent => {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: metadata.get('type') ?? '',
    contentType: metadata.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};

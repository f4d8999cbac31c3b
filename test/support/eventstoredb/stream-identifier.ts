import shared from '@eventstore/db-client/generated/shared_pb.js';

/** A stream's name from the wire; empty where there is none. */
export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  identifier === undefined ? '' : Buffer.from(identifier.getStreamName_asU8()).toString('utf8');

export const streamIdentifier = (name: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(name, 'utf8')));

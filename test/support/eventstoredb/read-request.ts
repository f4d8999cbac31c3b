import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { eventFilter, type EventFilter } from './event-filter.ts';
import { streamName } from './stream-identifier.ts';

/** A call of `Streams.Read`, and where its answers go. */
export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** A position from the wire. Its halves need not be the same: a checkpoint's prepare may be 0. */
export type WirePosition = { readonly commit: bigint; readonly prepare: bigint };

/** What a call of `Streams.Read` asks for. */
export type ReadRequest =
  | {
      readonly _tag: 'ReadStream';
      readonly stream: string;
      readonly from: 'start' | 'end' | bigint;
      readonly backwards: boolean;
      readonly count: bigint;
    }
  | {
      readonly _tag: 'ReadAll';
      readonly from: 'start' | 'end' | WirePosition;
      readonly backwards: boolean;
      readonly count: bigint;
    }
  | { readonly _tag: 'SubscribeToStream'; readonly stream: string; readonly from: 'start' | 'end' | bigint }
  | {
      readonly _tag: 'SubscribeToAll';
      readonly from: 'start' | 'end' | WirePosition;
      readonly filter: EventFilter | null;
    };

const positionOf = (all: streams.ReadReq.Options.AllOptions | undefined): 'start' | 'end' | WirePosition => {
  const position = all?.getPosition();
  if (position === undefined) return all?.hasEnd() === true ? 'end' : 'start';
  return { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) };
};

const revisionOf = (stream: streams.ReadReq.Options.StreamOptions): 'start' | 'end' | bigint => {
  if (stream.hasRevision()) return BigInt(stream.getRevision());
  return stream.hasEnd() ? 'end' : 'start';
};

export const readRequest = (request: streams.ReadReq): ReadRequest => {
  const options = request.getOptions() ?? new streams.ReadReq.Options();
  const ofStream = options.getStream();
  const filter = options.getFilter();
  if (options.hasSubscription()) {
    return ofStream === undefined
      ? {
          _tag: 'SubscribeToAll',
          from: positionOf(options.getAll()),
          filter: filter === undefined ? null : eventFilter(filter),
        }
      : {
          _tag: 'SubscribeToStream',
          stream: streamName(ofStream.getStreamIdentifier()),
          from: revisionOf(ofStream),
        };
  }
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const count = BigInt(options.getCount());
  return ofStream === undefined
    ? { _tag: 'ReadAll', from: positionOf(options.getAll()), backwards, count }
    : {
        _tag: 'ReadStream',
        stream: streamName(ofStream.getStreamIdentifier()),
        from: revisionOf(ofStream),
        backwards,
        count,
      };
};

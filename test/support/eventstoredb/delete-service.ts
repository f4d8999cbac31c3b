import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.ts';
import type { ExpectedVersion } from './idempotency.ts';
import { inTheWay, type Node } from './node.ts';
import { streamDeleted, wrongExpectedVersion } from './server-error.ts';
import { streamName } from './stream-identifier.ts';

type Options = streams.DeleteReq.Options | streams.TombstoneReq.Options | undefined;

const expectedOf = (options: Options): ExpectedVersion => {
  if (options === undefined || options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasNoStream() ? 'no_stream' : BigInt(options.getRevision());
};

const isAsExpected = (expected: ExpectedVersion, actual: bigint | 'no_stream'): boolean =>
  expected === 'any' || expected === actual || (expected === 'stream_exists' && actual !== 'no_stream');

const serveDelete = <Request, Response>(
  node: Node,
  call: ServerUnaryCall<Request, Response>,
  callback: sendUnaryData<Response>,
  options: Options,
  perform: (stream: string) => Response,
): void =>
  node.plan.whenThawed(() => {
    const obstacle = inTheWay(node, 'append', call.metadata);
    if (obstacle === 'silence') return;
    const name = streamName(options?.getStreamIdentifier());
    const stream = node.log.stream(name);
    const expected = expectedOf(options);
    const actual = stream?.events.at(-1)?.revision ?? 'no_stream';
    if (obstacle !== null) callback(obstacle);
    else if (stream?.tombstoned === true) callback(streamDeleted(name));
    else if (!isAsExpected(expected, actual)) callback(wrongExpectedVersion(name, expected, actual));
    else callback(null, perform(name));
  });

/** `Streams.Delete` (soft: the stream may come back) and `Streams.Tombstone` (for good). */
export const deleteService = (node: Node): DeletionCalls => ({
  delete: (call, callback) => {
    const position = ({ position: at }: LoggedEvent): streams.DeleteResp.Position =>
      new streams.DeleteResp.Position().setCommitPosition(String(at)).setPreparePosition(String(at));
    serveDelete(node, call, callback, call.request.getOptions(), (stream) =>
      new streams.DeleteResp().setPosition(position(node.log.softDelete(stream))),
    );
  },
  tombstone: (call, callback) => {
    const position = ({ position: at }: LoggedEvent): streams.TombstoneResp.Position =>
      new streams.TombstoneResp.Position().setCommitPosition(String(at)).setPreparePosition(String(at));
    serveDelete(node, call, callback, call.request.getOptions(), (stream) =>
      new streams.TombstoneResp().setPosition(position(node.log.tombstone(stream))),
    );
  },
});

type DeletionCalls = {
  readonly delete: (
    call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
    callback: sendUnaryData<streams.DeleteResp>,
  ) => void;
  readonly tombstone: (
    call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
    callback: sendUnaryData<streams.TombstoneResp>,
  ) => void;
};

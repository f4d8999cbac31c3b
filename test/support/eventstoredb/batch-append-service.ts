import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { ProposedEvent } from './event-log.ts';
import type { ExpectedVersion } from './idempotency.ts';
import { inTheWay, type Node } from './node.ts';
import type { AppendOutcome } from './perform-append.ts';
import { proposedEvent } from './proposed-event.ts';
import { serveAppend } from './serve-append.ts';
import type { ServerError } from './server-error.ts';
import { streamIdentifier, streamName } from './stream-identifier.ts';

type Chunks = { readonly options: streams.BatchAppendReq.Options; readonly events: ProposedEvent[] };

const expectedOf = (options: streams.BatchAppendReq.Options): ExpectedVersion => {
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasNoStream() ? 'no_stream' : BigInt(options.getStreamPosition());
};

const packed = (name: string, bytes: Uint8Array, message = name): statusMessages.Status => {
  const details = new any.Any();
  details.pack(bytes, `event_store.client.${name}`);
  return new statusMessages.Status().setMessage(message).setDetails(details);
};

const wrongVersion = ({ expected, actual }: AppendOutcome & { _tag: 'WrongExpectedVersion' }): Uint8Array => {
  const detail = new shared.WrongExpectedVersion();
  if (actual === 'no_stream') detail.setCurrentNoStream(new empty.Empty());
  else detail.setCurrentStreamRevision(String(actual));
  if (expected === 'any') detail.setExpectedAny(new empty.Empty());
  else if (expected === 'stream_exists') detail.setExpectedStreamExists(new empty.Empty());
  else if (expected === 'no_stream') detail.setExpectedNoStream(new empty.Empty());
  else detail.setExpectedStreamPosition(String(expected));
  return detail.serializeBinary();
};

const success = ({ revision, position }: AppendOutcome & { _tag: 'Success' }): streams.BatchAppendResp.Success => {
  const answer = new streams.BatchAppendResp.Success();
  if (revision === null) answer.setNoStream(new empty.Empty());
  else answer.setCurrentRevision(String(revision));
  if (position === null) return answer.setNoPosition(new empty.Empty());
  const at = new shared.AllStreamPosition();
  at.setCommitPosition(String(position)).setPreparePosition(String(position));
  return answer.setPosition(at);
};

const answered = (response: streams.BatchAppendResp, outcome: AppendOutcome): streams.BatchAppendResp => {
  switch (outcome._tag) {
    case 'Success':
      return response.setSuccess(success(outcome));
    case 'WrongExpectedVersion':
      return response.setError(packed('WrongExpectedVersion', wrongVersion(outcome)));
    case 'StreamDeleted':
      return response.setError(
        packed(
          'StreamDeleted',
          new shared.StreamDeleted().setStreamIdentifier(response.getStreamIdentifier()).serializeBinary(),
        ),
      );
    case 'MaximumAppendSizeExceeded':
      return response.setError(
        packed(
          'MaximumAppendSizeExceeded',
          new shared.MaximumAppendSizeExceeded().setMaxappendsize(outcome.limit).serializeBinary(),
        ),
      );
    case 'BadRequest':
      break;
  }
  return response.setError(packed('BadRequest', new shared.BadRequest().setMessage(outcome.detail).serializeBinary()));
};

const inBandStatus = ({ inBand, details }: ServerError): statusMessages.Status | null => {
  if (inBand === null) return null;
  return inBand === 'AccessDenied'
    ? packed('AccessDenied', new shared.AccessDenied().serializeBinary())
    : packed('Empty', new shared.Empty().serializeBinary(), details);
};

const isPast = (options: streams.BatchAppendReq.Options): boolean => {
  const deadline = options.getDeadline();
  return deadline !== undefined && deadline.toDate().getTime() < Date.now();
};

/** `Streams.BatchAppend`: many appends on one call, each in chunks until its last one, answered by correlation id. */
export const batchAppendService =
  (node: Node): handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> =>
  (call) => {
    const underWay = new Map<string, Chunks>();
    const fail = (error: ServerError): void => {
      call.emit('error', error);
    };
    const opened = inTheWay(node, 'append', call.metadata);
    // The leader is required once, when the call is opened; afterwards a follower forwards.
    const metadata = call.metadata.clone();
    metadata.remove('requires-leader');
    if (opened !== null && opened !== 'silence' && opened.inBand === null) {
      fail(opened);
      return;
    }

    const serve = (correlation: shared.UUID | undefined, { options, events }: Chunks): void => {
      const stream = streamName(options.getStreamIdentifier());
      const response = (): streams.BatchAppendResp =>
        new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(streamIdentifier(stream));
      const send = (message: streams.BatchAppendResp): void => {
        if (!call.cancelled && !call.writableEnded) call.write(message);
      };
      node.plan.whenThawed(() => {
        if (isPast(options)) {
          send(response().setError(packed('Timeout', new shared.Timeout().serializeBinary())));
          return;
        }
        serveAppend(node, {
          request: { stream, expected: expectedOf(options), events },
          metadata,
          peer: call.getPeer(),
          answer: (outcome) => {
            if (E.isRight(outcome)) {
              send(answered(response(), outcome.right));
              return;
            }
            const inBand = inBandStatus(outcome.left);
            if (inBand === null) fail(outcome.left);
            else send(response().setError(inBand));
          },
        });
      });
    };

    call.on('data', (chunk: streams.BatchAppendReq) => {
      const id = chunk.getCorrelationId()?.getString() ?? '';
      const chunks = underWay.get(id) ?? {
        options: chunk.getOptions() ?? new streams.BatchAppendReq.Options(),
        events: [],
      };
      chunks.events.push(...chunk.getProposedMessagesList().map(proposedEvent));
      if (!chunk.getIsFinal()) {
        underWay.set(id, chunks);
        return;
      }
      underWay.delete(id);
      serve(chunk.getCorrelationId(), chunks);
    });
    call.on('end', () => call.end());
  };

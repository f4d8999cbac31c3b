import type { handleClientStreamingCall } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import type { ProposedEvent } from './event-log.ts';
import type { ExpectedVersion } from './idempotency.ts';
import type { Node } from './node.ts';
import type { AppendOutcome } from './perform-append.ts';
import { proposedEvent } from './proposed-event.ts';
import { serveAppend } from './serve-append.ts';
import { invalidArgument, maximumAppendSizeExceeded, streamDeleted, type ServerError } from './server-error.ts';
import { streamName } from './stream-identifier.ts';

const expectedOf = (options: streams.AppendReq.Options): ExpectedVersion => {
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasNoStream() ? 'no_stream' : BigInt(options.getRevision());
};

const success = ({ revision, position }: AppendOutcome & { _tag: 'Success' }): streams.AppendResp.Success => {
  const answer = new streams.AppendResp.Success();
  if (revision === null) answer.setNoStream(new shared.Empty());
  else answer.setCurrentRevision(String(revision));
  if (position === null) return answer.setNoPosition(new shared.Empty());
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(String(position)).setPreparePosition(String(position));
  return answer.setPosition(at);
};

const wrongVersion = ({
  expected,
  actual,
}: AppendOutcome & { _tag: 'WrongExpectedVersion' }): streams.AppendResp.WrongExpectedVersion => {
  const answer = new streams.AppendResp.WrongExpectedVersion();
  if (actual === 'no_stream') answer.setCurrentNoStream(new shared.Empty());
  else answer.setCurrentRevision(String(actual));
  if (expected === 'any') return answer.setExpectedAny(new shared.Empty());
  if (expected === 'stream_exists') return answer.setExpectedStreamExists(new shared.Empty());
  if (expected === 'no_stream') return answer.setExpectedNoStream(new shared.Empty());
  return answer.setExpectedRevision(String(expected));
};

/** What the unary append answers: a wrong expected version in-band, every other failure as an error with trailers. */
const answerOf = (stream: string, outcome: AppendOutcome): E.Either<ServerError, streams.AppendResp> => {
  switch (outcome._tag) {
    case 'Success':
      return E.right(new streams.AppendResp().setSuccess(success(outcome)));
    case 'WrongExpectedVersion':
      return E.right(new streams.AppendResp().setWrongExpectedVersion(wrongVersion(outcome)));
    case 'StreamDeleted':
      return E.left(streamDeleted(stream));
    case 'MaximumAppendSizeExceeded':
      return E.left(maximumAppendSizeExceeded(outcome.limit));
    case 'BadRequest':
      break;
  }
  return E.left(invalidArgument(outcome.detail));
};

/** `Streams.Append`: one append a call, its options first, then its events one by one. */
export const appendService =
  (node: Node): handleClientStreamingCall<streams.AppendReq, streams.AppendResp> =>
  (call, callback) => {
    const events: ProposedEvent[] = [];
    let options: streams.AppendReq.Options | undefined;
    call.on('data', (message: streams.AppendReq) => {
      options = message.getOptions() ?? options;
      const proposed = message.getProposedMessage();
      if (proposed !== undefined) events.push(proposedEvent(proposed));
    });
    call.on('end', () => {
      const stream = streamName(options?.getStreamIdentifier());
      serveAppend(node, {
        request: { stream, expected: options === undefined ? 'any' : expectedOf(options), events },
        metadata: call.metadata,
        peer: call.getPeer(),
        answer: (outcome) => {
          const answer = E.chain((done: AppendOutcome) => answerOf(stream, done))(outcome);
          if (E.isLeft(answer)) callback(answer.left);
          else callback(null, answer.right);
        },
      });
    });
  };

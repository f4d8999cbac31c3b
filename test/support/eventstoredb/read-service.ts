import type { handleServerStreamingCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import * as E from 'fp-ts/lib/Either.js';
import type { LoggedEvent } from './event-log.ts';
import { eventRange, type EventRange } from './event-range.ts';
import type { FaultPlan } from './faults.ts';
import { inTheWay, type Node } from './node.ts';
import { readRequest, type ReadCall } from './read-request.ts';
import { recordedMessage } from './recorded-message.ts';
import { streamIdentifier } from './stream-identifier.ts';
import { startSubscription } from './subscription.ts';

/** The events of a range, or what is told in their place. */
function* toldOf(plan: FaultPlan, range: EventRange): Generator<LoggedEvent | streams.ReadResp, void> {
  let [place, { left }] = [range.next, range];
  while (left > 0n && (range.until - place) * range.step > 0) {
    const event = range.at(place);
    place += range.step;
    left -= 1n;
    if (event !== undefined) yield* plan.told(event, 'read');
  }
}

/** Sends a range as fast as the client takes it, and ends the call. */
const sendRange = ({ reads, plan }: Node, call: ReadCall, range: EventRange): void => {
  const events = toldOf(plan, range);
  const send = (): void => {
    for (let next = events.next(); next.done !== true && !call.cancelled; next = events.next()) {
      reads.sentEvents += 1;
      if (!call.write('type' in next.value ? recordedMessage(next.value) : next.value)) {
        call.once('drain', send);
        return;
      }
    }
    call.end();
  };
  send();
};

/** Keeps a call among those that are open until one of the two sides ends it, or its connection is cut. */
const watchCall = ({ reads }: Node, call: ReadCall): void => {
  reads.open.add(call);
  for (const end of ['cancelled', 'finish', 'error', 'close']) call.once(end, () => reads.open.delete(call));
};

/** `Streams.Read`: reads of streams and of `$all`, and subscriptions to both. */
export const readService =
  (node: Node): handleServerStreamingCall<streams.ReadReq, streams.ReadResp> =>
  (call) => {
    watchCall(node, call);
    node.plan.whenThawed(() => {
      const kind = call.request.getOptions()?.hasSubscription() === true ? 'subscription' : 'read';
      const obstacle = inTheWay(node, kind, call.metadata);
      if (obstacle === 'silence') return;
      if (obstacle !== null) {
        call.emit('error', obstacle);
        return;
      }
      const request = readRequest(call.request);
      if (request._tag === 'SubscribeToAll' || request._tag === 'SubscribeToStream') {
        startSubscription(node, call, request);
        return;
      }
      const range = eventRange(node.log, node.visible(), request);
      if (E.isRight(range)) sendRange(node, call, range.right);
      else if (range.left !== 'not found') call.emit('error', range.left);
      else {
        const stream = request._tag === 'ReadStream' ? request.stream : '$all';
        const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream));
        call.write(new streams.ReadResp().setStreamNotFound(notFound));
        call.end();
      }
    });
  };

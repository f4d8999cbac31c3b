import { randomUUID } from 'node:crypto';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from './event-log.ts';
import type { Node } from './node.ts';
import type { ReadCall, ReadRequest } from './read-request.ts';
import { recordedMessage } from './recorded-message.ts';
import { streamDeleted } from './server-error.ts';
import { subscriptionSource } from './subscription-source.ts';

/** A subscriber further behind than this is no longer live: it is told again when it has caught up. */
const LIVE_BUFFER = 32;
/** Records considered at a stretch before other calls get their turn. */
const STRETCH = 4_096;

const checkpointMessage = (commit: bigint, prepare: bigint): streams.ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(commit)).setPreparePosition(String(prepare));
  return new streams.ReadResp().setCheckpoint(checkpoint);
};

/** Serves a subscription: confirmation, catch-up events, a checkpoint (if filtered), caughtUp, then live events. */
export const startSubscription = (
  node: Node,
  call: ReadCall,
  request: ReadRequest & { readonly _tag: 'SubscribeToAll' | 'SubscribeToStream' },
): void => {
  const source = subscriptionSource(node.log, node.visible, request);
  const { filter } = source;
  const now = { place: source.first, considered: 0, catchingUp: true, blocked: false, ended: false };

  const send = (message: streams.ReadResp): void => {
    if (call.write(message) || now.blocked) return;
    now.blocked = true;
    call.once('drain', () => {
      now.blocked = false;
      pump();
    });
  };
  /** While catching up a checkpoint lies right behind the record, with prepare 0; live it is the record's own position. */
  const checkpointBehind = (event: LoggedEvent | undefined): streams.ReadResp =>
    now.catchingUp || event === undefined
      ? checkpointMessage(node.log.at(now.place)?.position ?? node.log.end(), 0n)
      : checkpointMessage(event.position, event.position);

  /** Whether a checkpoint was due behind it. */
  const consider = (event: LoggedEvent): boolean => {
    now.place += 1;
    now.considered += 1;
    if (filter === null || filter.matches(event)) {
      node.reads.sentEvents += 1;
      for (const told of node.plan.told(event, 'subscription')) send('type' in told ? recordedMessage(told) : told);
    }
    const isDue = filter !== null && now.considered % filter.checkpointEvery === 0;
    if (isDue) send(checkpointBehind(event));
    return isDue;
  };

  const pump = (): void => {
    if (source.end() - now.place > LIVE_BUFFER) now.catchingUp = true;
    for (let left = STRETCH; !now.blocked && !now.ended && !node.plan.isFrozen(); left -= 1) {
      const event = now.place < source.end() ? source.at(now.place) : undefined;
      if (event === undefined) {
        if (!now.catchingUp) return;
        if (filter !== null) send(checkpointBehind(undefined));
        now.catchingUp = false;
        send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
        return;
      }
      if (left === 0) {
        setImmediate(pump);
        return;
      }
      // A client may see a checkpoint well before the event behind it.
      if (consider(event) && now.catchingUp) {
        setImmediate(() => setImmediate(pump));
        return;
      }
    }
  };

  const live = {
    pump,
    end: () => {
      stop();
      call.end();
    },
  };
  const stop = (): void => {
    now.ended = true;
    node.subscriptions.delete(live);
  };
  call.on('cancelled', stop);
  call.on('close', stop);

  if (request._tag === 'SubscribeToStream' && node.log.stream(request.stream)?.tombstoned === true) {
    call.emit('error', streamDeleted(request.stream));
    return;
  }
  node.subscriptions.add(live);
  send(
    new streams.ReadResp().setConfirmation(
      new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()),
    ),
  );
  pump();
};

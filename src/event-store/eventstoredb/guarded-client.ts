import type { EventStoreDBClient } from '@eventstore/db-client';
import * as t from 'io-ts';
import type { AnsweringNode } from './answering-node.ts';
import { aroundMethod } from './around-method.ts';
import { isNodeAddress } from './node-address.ts';

/** The client makes errors out of trailers by this key, and throws where those that the kind of error needs are not there. */
const KIND = 'exception';

/** gRPC's code of a call that has not failed. */
const DONE = 0;

/** Of gRPC's call and listener, what is looked at here. */
type Status = {
  readonly code: number;
  readonly metadata: {
    readonly get: (key: string) => readonly (string | Buffer)[];
    readonly remove: (key: string) => void;
  };
};
type Listener = {
  readonly onReceiveMessage: (message: unknown) => void;
  readonly onReceiveStatus: (status: Status) => void;
};
type Call = { start: (metadata: unknown, listener: Listener) => void };
type NextCall = (options: unknown) => Call;

const WHOLE = /^-?\d{1,20}$/;
const PORT = /^\d{1,5}$/;

/** Whether trailers say what their kind of error needs. */
type Readable = (said: (key: string) => string) => boolean;

/** The kinds of error that the ledger tells apart, with what else their trailers must say. */
const NEEDED: ReadonlyMap<string, Readable> = new Map<string, Readable>([
  ['access-denied', () => true],
  ['stream-not-found', () => true],
  ['stream-deleted', (said) => said('stream-name') !== ''],
  ['maximum-append-size-exceeded', (said) => WHOLE.test(said('maximum-append-size'))],
  [
    'not-leader',
    (said) =>
      PORT.test(said('leader-endpoint-port')) &&
      isNodeAddress(said('leader-endpoint-host'), Number(said('leader-endpoint-port'))),
  ],
  [
    'wrong-expected-version',
    (said) =>
      said('stream-name') !== '' &&
      WHOLE.test(said('expected-version')) &&
      (said('actual-version') === '' || WHOLE.test(said('actual-version'))),
  ],
]);

/** Leaves an error to its code where its trailers are not all that the client would read of them. */
const withReadableTrailers = (status: Status): Status => {
  const said = (key: string): string => (status.metadata.get(key)[0] ?? '').toString();
  if (NEEDED.get(said(KIND))?.(said) !== true) status.metadata.remove(KIND);
  return status;
};

/** gRPC's interceptor: it stands between a call and the client's own reading of how it ended, and sees what is answered. */
const readableEnds =
  ({ answered }: AnsweringNode) =>
  (options: unknown, nextCall: NextCall): Call => {
    const call = nextCall(options);
    const start = call.start.bind(call);
    call.start = (metadata, listener) =>
      start(metadata, {
        ...listener,
        onReceiveMessage: (message: unknown) => {
          // Of a call that failed there is none, which is told too.
          if (message !== null) answered();
          listener.onReceiveMessage(message);
        },
        onReceiveStatus: (status: Status) => {
          const readable = withReadableTrailers(status);
          if (readable.code === DONE || readable.metadata.get(KIND).length > 0) answered();
          listener.onReceiveStatus(readable);
        },
      });
    return call;
  };

/**
 * The client as it is to be used: no answer of a server ends the process, and a node at which none is answered is left.
 *
 * Where a call fails while the client looks for another node, its handler waits for that look, and when it fails too, the
 * rejection is nobody's. Those who wait for the new node are told by their own calls.
 */
export const guardedClient = (client: EventStoreDBClient, node: AnsweringNode): EventStoreDBClient => {
  const interceptors = [readableEnds(node)];
  aroundMethod(client, 'handleError', (handle) => async (...failure) => {
    await Promise.resolve(handle(...failure)).catch(() => undefined);
  });
  aroundMethod(client, 'callArguments', (argumentsOf) => (...given) => {
    const made = argumentsOf(...given);
    if (!t.UnknownArray.is(made)) return made;
    const [metadata, options] = made;
    return [metadata, { ...(t.UnknownRecord.is(options) ? options : {}), interceptors }];
  });
  aroundMethod(client, 'shouldReconnect', (asked) => (...failure) => {
    const told = asked(...failure);
    const isLeft = t.UnknownArray.is(told) && told[0] === true;
    if (!isLeft && !node.isToBeLeft(performance.now())) return told;
    node.answered();
    return isLeft ? told : [true];
  });
  return client;
};

/**
 * A subscription that ends with an error where a message of the server can't be read. The client's own reading of messages
 * would leave the rejection to nobody, and the subscription open and silent for ever.
 */
export const guardedSubscription = <A extends { readonly destroy: (error: Error) => unknown }>(subscription: A): A => {
  aroundMethod(subscription, '_transform', (transform) => (...given) => {
    void Promise.resolve(transform(...given)).catch((error: unknown) => {
      subscription.destroy(error instanceof Error ? error : new Error(`it sent what can't be read: ${String(error)}`));
    });
  });
  return subscription;
};

import type { EventStoreDBClient } from '@eventstore/db-client';
import * as t from 'io-ts';

/** The client makes errors out of trailers by this key, and throws where those that the kind of error needs are not there. */
const KIND = 'exception';

/** Of gRPC's call and listener, what is looked at here. */
type Status = {
  readonly metadata: {
    readonly get: (key: string) => readonly (string | Buffer)[];
    readonly remove: (key: string) => void;
  };
};
type Listener = { readonly onReceiveStatus: (status: Status) => void };
type Call = { start: (metadata: unknown, listener: Listener) => void };
type NextCall = (options: unknown) => Call;

const WHOLE = /^-?\d{1,20}$/;
const HOST = /^(?:[\w.-]{1,253}|\[?[\da-f:.]{2,45}\]?)$/i;
const HIGHEST_PORT = 65_535;

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= HIGHEST_PORT;

/** Whether trailers say what their kind of error needs. */
type Readable = (said: (key: string) => string) => boolean;

/** The kinds of error that the ledger tells apart, with what else their trailers must say. */
const NEEDED: ReadonlyMap<string, Readable> = new Map<string, Readable>([
  ['access-denied', () => true],
  ['stream-not-found', () => true],
  ['stream-deleted', (said) => said('stream-name') !== ''],
  ['maximum-append-size-exceeded', (said) => WHOLE.test(said('maximum-append-size'))],
  ['not-leader', (said) => HOST.test(said('leader-endpoint-host')) && isPort(said('leader-endpoint-port'))],
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

/** gRPC's interceptor: it stands between a call and the client's own reading of how it ended. */
const readableEnds = (options: unknown, nextCall: NextCall): Call => {
  const call = nextCall(options);
  const start = call.start.bind(call);
  call.start = (metadata, listener) => {
    const onReceiveStatus = (status: Status): void => listener.onReceiveStatus(withReadableTrailers(status));
    start(metadata, { ...listener, onReceiveStatus });
  };
  return call;
};

type Hook = (...given: unknown[]) => unknown;

const isHook = (value: unknown): value is Hook => typeof value === 'function';

/** Replaces what an object of the client's does by something around it; nothing where it has no such thing. */
const wrap = (object: object, name: string, around: (inner: Hook) => Hook): void => {
  const inner: unknown = Reflect.get(object, name);
  if (isHook(inner)) Reflect.set(object, name, around(inner.bind(object)));
};

/**
 * The client as it is to be used: no answer of a server ends the process.
 *
 * Where a call fails while the client looks for another node, its handler waits for that look, and when it fails too, the
 * rejection is nobody's. Those who wait for the new node are told by their own calls.
 */
export const guardedClient = (client: EventStoreDBClient): EventStoreDBClient => {
  wrap(client, 'handleError', (handle) => async (...failure) => {
    await Promise.resolve(handle(...failure)).catch(() => undefined);
  });
  wrap(client, 'callArguments', (argumentsOf) => (...given) => {
    const made = argumentsOf(...given);
    if (!t.UnknownArray.is(made)) return made;
    const [metadata, options] = made;
    return [metadata, { ...(t.UnknownRecord.is(options) ? options : {}), interceptors: [readableEnds] }];
  });
  return client;
};

/**
 * A subscription that ends with an error where a message of the server can't be read. The client's own reading of messages
 * would leave the rejection to nobody, and the subscription open and silent for ever.
 */
export const guardedSubscription = <A extends { readonly destroy: (error: Error) => unknown }>(subscription: A): A => {
  wrap(subscription, '_transform', (transform) => (...given) => {
    void Promise.resolve(transform(...given)).catch((error: unknown) => {
      subscription.destroy(error instanceof Error ? error : new Error(`it sent what can't be read: ${String(error)}`));
    });
  });
  return subscription;
};

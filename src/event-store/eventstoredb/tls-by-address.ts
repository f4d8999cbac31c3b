import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import * as t from 'io-ts';
import { answerOf, aroundMethod } from './around-method.ts';

/** Takes an address out of the place of a server's name; the certificate is then held to the address. */
const withoutAddress = (connector: unknown): unknown => {
  const options = t.UnknownRecord.is(connector) ? connector['connectionOptions'] : null;
  if (t.UnknownRecord.is(options) && typeof options['servername'] === 'string' && isIP(options['servername']) !== 0)
    Reflect.deleteProperty(options, 'servername');
  return connector;
};

let isDone = false;

/**
 * Lets the client reach nodes by an IP address over TLS. Its gRPC says the address where TLS wants a server's name, which is
 * no place for one (RFC 6066, 3), and Node refuses that from release 26 on: no connection came about, neither to a server
 * that `EVENT_STORE_URL` names by its address, nor to the nodes of a cluster that gossip by theirs.
 */
export const tlsByAddress = (): void => {
  if (isDone) return;
  isDone = true;
  const here = createRequire(import.meta.url);
  // The client's own copy, whichever version of it.
  const grpc: unknown = createRequire(here.resolve('@eventstore/db-client'))('@grpc/grpc-js');
  const made = answerOf(t.UnknownRecord.is(grpc) ? grpc['credentials'] : null, 'createSsl');
  const prototype = t.UnknownRecord.is(made) ? Reflect.getPrototypeOf(made) : null;
  aroundMethod(
    prototype,
    '_createSecureConnector',
    (create) =>
      (...given) =>
        withoutAddress(create(...given)),
  );
};

import { Metadata, status } from '@grpc/grpc-js';
import type { ExpectedVersion } from './idempotency.ts';

/** An error outside the answers themselves: a gRPC status with trailers, by whose key `exception` clients tell them apart. */
export type ServerError = {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
  /** How the batch call answers it instead, append by append; null where the error ends the whole call. */
  readonly inBand: 'AccessDenied' | 'Unrecognised' | null;
};

/** Where another node listens. */
export type Endpoint = { readonly host: string; readonly port: number };

const serverError = (
  code: number,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
  inBand: ServerError['inBand'] = null,
): ServerError => {
  const metadata = new Metadata();
  // Stream names may hold any characters, trailers only ASCII.
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value.replaceAll(/[^ -~]/g, '?'));
  return { code, details, metadata, inBand };
};

export const notLeader = ({ host, port }: Endpoint): ServerError =>
  serverError(status.NOT_FOUND, `Leader info available: ${host}:${port}`, {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string): ServerError =>
  serverError(status.FAILED_PRECONDITION, 'Event stream is deleted.', {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const wrongExpectedVersion = (
  stream: string,
  expected: ExpectedVersion,
  actual: bigint | 'no_stream',
): ServerError =>
  serverError(status.FAILED_PRECONDITION, 'Append failed due to WrongExpectedVersion.', {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version':
      typeof expected === 'bigint' ? String(expected) : { any: '-2', no_stream: '-1', stream_exists: '-4' }[expected],
    ...(actual === 'no_stream' ? {} : { 'actual-version': String(actual) }),
  });

export const accessDenied = (): ServerError =>
  serverError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }, 'AccessDenied');

export const maximumAppendSizeExceeded = (limit: number): ServerError =>
  serverError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const invalidArgument = (details: string): ServerError => serverError(status.INVALID_ARGUMENT, details);

export const serverNotReady = (): ServerError =>
  serverError(status.UNAVAILABLE, 'Server Is Not Ready', {}, 'Unrecognised');

export const serverBusy = (): ServerError => serverError(status.UNAVAILABLE, 'Server Is Busy', {}, 'Unrecognised');

/** What the server says of a read that failed in itself. */
export const unknownError = (): ServerError =>
  serverError(status.UNKNOWN, 'Unexpected ReadAllResult: Error', {}, 'Unrecognised');

export const unavailable = (): ServerError => serverError(status.UNAVAILABLE, 'Unavailable');

/** An error with these trailers, whatever they say. */
export const withTrailers = (trailers: Readonly<Record<string, string>>): ServerError =>
  serverError(status.FAILED_PRECONDITION, 'Failed.', trailers, 'Unrecognised');

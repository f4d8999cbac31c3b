import * as E from 'fp-ts/lib/Either.js';
import fetch, { FetchError } from 'node-fetch';
import type { Exchange, ExchangeError } from './exchange.ts';
import { ACCEPTED_CODINGS, TOO_LARGE, unpack } from './unpack.ts';

/** The largest answer, after unpacking (docs/spec/command-line.md, Calls to the provider). */
const MOST_BYTES = 1_048_576;

/** What packing adds at the most to bytes that can't be packed. */
const MOST_PACKED_BYTES = MOST_BYTES + 4_096;

/** Of a connection that ended in the middle of an answer. */
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Its code alone: the message of a failed request holds the address, query string included. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';

const isTooLarge = (error: unknown): boolean =>
  codeOf(error) === TOO_LARGE || (error instanceof FetchError && error.type === 'max-size');

/** What comes after the headers can fail to unpack too; before them there is nothing but the connection. */
const failureOf = (error: unknown, signal: AbortSignal, answering: boolean): ExchangeError => {
  if (signal.aborted) return { _tag: 'TimedOut' };
  if (isTooLarge(error)) return { _tag: 'AnswerTooLarge' };
  const detail = codeOf(error);
  return answering && !BROKEN_OFF.has(detail) ? { _tag: 'AnswerGarbled', detail } : { _tag: 'Unreachable', detail };
};

/** Exchanges over HTTP with node-fetch. A small body that unpacks to a huge one costs no more memory than the limit. */
export const fetchExchange: Exchange =
  ({ url, ...request }, signal) =>
  async () => {
    // node-fetch throws past its promise where it is given a body and a signal that is aborted already.
    if (signal.aborted) return E.left({ _tag: 'TimedOut' });
    let answering = false;
    // What is left unread is cut off, so that nothing goes on behind an answer that was refused.
    const leaving = new AbortController();
    try {
      const response = await fetch(url, {
        ...request,
        headers: { ...request.headers, 'accept-encoding': ACCEPTED_CODINGS },
        compress: false,
        redirect: 'manual',
        size: MOST_PACKED_BYTES,
        signal: AbortSignal.any([signal, leaving.signal]),
      });
      answering = true;
      const coding = response.headers.get('content-encoding');
      const bytes = await unpack(Buffer.from(await response.arrayBuffer()), coding, MOST_BYTES);
      if (bytes.length > MOST_BYTES) return E.left({ _tag: 'AnswerTooLarge' });
      return E.right({ status: response.status, retryAfter: response.headers.get('retry-after'), body: bytes });
    } catch (error) {
      return E.left(failureOf(error, signal, answering));
    } finally {
      leaving.abort();
    }
  };

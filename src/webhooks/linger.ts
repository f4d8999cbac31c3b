import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 1_000;

/**
 * Ends an answer that was given while the caller may still be sending: when the rest of the request has come and was
 * thrown away, or after a second. Closing the connection at once would make the caller's system drop the answer, since
 * bytes that nobody reads reset the connection.
 */
export const endWhenSent = (request: IncomingMessage, response: ServerResponse): void => {
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).once('error', end);
  request.resume();
};

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

const LINGER_MS = 1_000;

/**
 * An answer given while the caller may still be sending: the text goes out at once, and the connection is closed only when
 * the rest of the request has come and was thrown away, or after a second. Closing at once would make the caller's system
 * drop the answer, since bytes that nobody reads reset the connection.
 */
export const lingeringBody = (request: IncomingMessage, text: string): Readable => {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const body = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      clearTimeout(timer);
      done(error);
    },
  });
  const end = (): void => {
    if (ended) return;
    ended = true;
    body.push(null);
  };
  body.push(text);
  timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).once('error', end);
  request.resume();
  return body;
};

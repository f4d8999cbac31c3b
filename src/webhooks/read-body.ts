import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import getRawBody from 'raw-body';
import { inTime } from '../concurrency/in-time.ts';
import { bodyIncomplete, bodyTimeout, bodyTooLarge, overloaded, type Rejection } from './rejection.ts';
import type { UnreadBodies } from './unread-bodies.ts';

const wholeBody = (
  request: IncomingMessage,
  most: number,
  unread: UnreadBodies,
): Promise<E.Either<Rejection, Buffer>> =>
  new Promise((resolve) => {
    const leave = unread.enter(request.socket.remoteAddress ?? '', () => resolve(E.left(overloaded)));
    getRawBody(request, { limit: most, length: request.headers['content-length'] ?? null }, (error, body) => {
      leave();
      if (error === null) resolve(E.right(body));
      else resolve(E.left(error.type === 'entity.too.large' ? bodyTooLarge(most) : bodyIncomplete));
    });
  });

/**
 * Reads a body's bytes as they were sent: at most `most` of them, and all of them within `withinMs` milliseconds
 * (docs/spec/receiving.md, Bytes). A body that is announced as too large is refused before any of it is read, and one that
 * others need the place of while it is waited for is refused as overload.
 */
export const readBody = (
  request: IncomingMessage,
  most: number,
  withinMs: number,
  unread: UnreadBodies,
): Promise<E.Either<Rejection, Buffer>> =>
  inTime(withinMs, wholeBody(request, most, unread), E.left(bodyTimeout(withinMs)));

import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { BodyBytes } from '../http/body-bytes.ts';
import type { HeldByPeers } from '../http/connections/held-by-peers.ts';
import { bodyIncomplete, bodyTimeout, bodyTooLarge, overloaded, type Rejection } from './rejection.ts';

/**
 * Reads a body's bytes as they were sent: at most `most` of them, and all of them within `withinMs` milliseconds
 * (docs/spec/receiving.md, Bytes). A body that is announced as too large is refused before any of it is read, and one that
 * is given up while it is waited for, since others need the memory, is refused as overload. What is refused is no longer read.
 */
export const readBody = (
  request: IncomingMessage,
  most: number,
  withinMs: number,
  unread: HeldByPeers,
): Promise<E.Either<Rejection, Buffer>> =>
  new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > most) {
      resolve(E.left(bodyTooLarge(most)));
      return;
    }
    const bytes = new BodyBytes();
    let isOver = false;
    const finish = (came: E.Either<Rejection, Buffer>): void => {
      if (isOver) return;
      isOver = true;
      // The request outlives its body on a connection that nothing more comes by.
      bytes.clear();
      clearTimeout(timer);
      unread.leave(waiting);
      if (E.isLeft(came)) request.pause();
      resolve(came);
    };
    const cutOff = (): void => finish(E.left(bodyIncomplete));
    const waiting = unread.enter(request.socket.remoteAddress ?? '', () => finish(E.left(overloaded)));
    const late = (): void => finish(E.left(bodyTimeout(withinMs)));
    // Where the thread was held up, what came in time lies in the socket still: the loop reads before it gets to immediates.
    const timer = setTimeout(() => setImmediate(late), withinMs);
    request.on('data', (part: Buffer) => {
      if (isOver) return;
      if (bytes.size + part.length > most) {
        finish(E.left(bodyTooLarge(most)));
        return;
      }
      bytes.add(part);
      unread.holds(waiting, bytes.room);
    });
    request.on('end', () => finish(E.right(bytes.whole())));
    request.on('error', cutOff);
    request.on('close', cutOff);
  });

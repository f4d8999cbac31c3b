import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { bodyIncomplete, bodyTimeout, bodyTooLarge, type Rejection } from './rejection.ts';

/**
 * Reads a body's bytes as they were sent: at most `most` of them, and all of them within `withinMs` milliseconds
 * (docs/spec/receiving.md, Bytes). A body that is announced as too large is refused before any of it is read. Node has
 * made sure that as many bytes came as were announced.
 */
export const readBody = (
  request: IncomingMessage,
  most: number,
  withinMs: number,
): Promise<E.Either<Rejection, Buffer>> =>
  new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > most) {
      resolve(E.left(bodyTooLarge(most)));
      return;
    }
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (body: E.Either<Rejection, Buffer>): void => {
      clearTimeout(deadline);
      request.off('data', take);
      resolve(body);
    };
    const take = (piece: Buffer): void => {
      length += piece.length;
      if (length > most) finish(E.left(bodyTooLarge(most)));
      else pieces.push(piece);
    };
    const cutOff = (): void => finish(E.left(bodyIncomplete));
    const deadline = setTimeout(() => finish(E.left(bodyTimeout(withinMs))), withinMs);
    request.on('data', take);
    request.once('end', () => {
      const [first = Buffer.alloc(0), ...more] = pieces;
      finish(E.right(more.length === 0 ? first : Buffer.concat(pieces, length)));
    });
    request.once('error', cutOff);
    request.once('close', cutOff);
  });

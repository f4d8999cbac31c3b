import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';
import { BodyBytes } from './body-bytes.ts';

/** The body of a question did not come whole. */
export type BodyUnread = {
  readonly _tag: 'BodyUnread';
  readonly code: 'body-too-large' | 'body-timeout' | 'body-incomplete';
  readonly detail: string;
};

const WITHIN_MS = 10_000;

const unread = (code: BodyUnread['code'], detail: string): E.Either<BodyUnread, never> =>
  E.left({ _tag: 'BodyUnread', code, detail });

/** How long what is too large is let come and thrown away before it is answered. */
const LINGER_MS = 5_000;

/**
 * Throws away the rest of a body: until it has come, or for five seconds. A connection that is closed while its caller sends is
 * reset, and many a client then tells of a broken connection, not of the answer.
 */
const restThrownAway = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, LINGER_MS);
    request.once('end', done).once('close', done).once('error', done);
    request.resume();
  });

const wholeBody = (request: IncomingMessage, most: number): Promise<E.Either<BodyUnread, Buffer>> =>
  new Promise((resolve) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    const bytes = new BodyBytes(announced > most ? 0 : announced);
    const finish = (came: E.Either<BodyUnread, Buffer>): void => {
      request.off('data', take).off('end', end).off('error', cutOff).off('close', cutOff);
      if (E.isLeft(came)) bytes.clear();
      resolve(came);
    };
    const tooLarge = (): void => finish(unread('body-too-large', `it may have at most ${most} bytes`));
    const take = (part: Buffer): void => {
      if (bytes.size + part.length > most) tooLarge();
      else bytes.add(part);
    };
    const end = (): void => finish(E.right(bytes.whole()));
    const cutOff = (): void => finish(unread('body-incomplete', 'the connection ended before the body did'));
    if (announced > most) tooLarge();
    else request.on('data', take).on('end', end).on('error', cutOff).on('close', cutOff);
  });

/** Reads the bytes of a body: at most so many, and all of them in time. */
export const requestBody =
  (request: IncomingMessage, most: number, withinMs = WITHIN_MS): (() => Promise<E.Either<BodyUnread, Buffer>>) =>
  async () => {
    const late = unread('body-timeout', `it was not there within ${withinMs / 1_000} s`);
    const read = await inTime(withinMs, wholeBody(request, most), late);
    if (E.isLeft(read) && read.left.code === 'body-too-large') await restThrownAway(request);
    return read;
  };

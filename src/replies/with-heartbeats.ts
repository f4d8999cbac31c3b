import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';

/** A comment line, which clients pass over. */
const HEARTBEAT = E.right(Buffer.from(':\n\n'));

type Pieces<Failure> = AsyncGenerator<E.Either<Failure, Uint8Array>, void, undefined>;

/**
 * Pieces with a comment wherever none came for a while, so that proxies keep the connection and a reader that is gone is
 * noticed. What it follows must end by its own signal.
 */
export async function* withHeartbeats<Failure>(pieces: Pieces<Failure>, everyMs: number): Pieces<Failure> {
  let next = pieces.next();
  for (;;) {
    const came = await inTime(everyMs, next, 'silent' as const);
    if (came === 'silent') {
      yield HEARTBEAT;
      continue;
    }
    if (came.done === true) return;
    yield came.value;
    next = pieces.next();
  }
}

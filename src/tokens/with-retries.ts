import * as E from 'fp-ts/lib/Either.js';
import { backOff, type BackOff } from '../concurrency/back-off.ts';
import { retried } from '../concurrency/retried.ts';
import type { Deadline } from './deadline.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Timing } from './timing.ts';

/** How often a request is sent again at the most. */
const REPETITIONS = 3;
const PAUSES: BackOff = { firstMs: 200, longestMs: 800 };

/** What passes by itself: too many requests, and gateways whose server is away for a moment. */
const PASSING = new Set([429, 502, 503, 504]);

const mayPass = (outcome: E.Either<{ readonly _tag: string }, UpstreamAnswer>): boolean =>
  E.isLeft(outcome) ? outcome.left._tag === 'Unreachable' : PASSING.has(outcome.right.status);

/**
 * Sends again what is safe to repeat, while the failure is one that passes by itself and time is left for the pause,
 * `Retry-After` included; where it is not, the last outcome is the answer, at once.
 *
 * @param attempt given its number, from 0
 */
export const withRetries = <Failure extends { readonly _tag: string }>(
  { now, wait, random }: Timing,
  deadline: Deadline,
  attempt: (number: number) => Promise<E.Either<Failure, UpstreamAnswer>>,
): Promise<E.Either<Failure, UpstreamAnswer>> =>
  retried(
    attempt,
    (outcome, failures) => {
      if (failures > REPETITIONS || !mayPass(outcome)) return null;
      const asked = E.isRight(outcome) ? retryAfterMs(outcome.right.retryAfter, now()) : null;
      const pause = (asked ?? 0) + backOff(PAUSES, failures, random);
      return pause < deadline.left() ? pause : null;
    },
    (ms) => wait(ms, deadline.signal),
  );

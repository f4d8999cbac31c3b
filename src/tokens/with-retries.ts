import { either as E } from 'fp-ts';
import type { Deadline } from './deadline.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Timing } from './timing.ts';

/** How often a request is sent again at the most. */
const REPETITIONS = 3;
const FIRST_PAUSE_MS = 200;

/** What passes by itself: too many requests, and gateways whose server is away for a moment. */
const PASSING = new Set([429, 502, 503, 504]);

const mayPass = (outcome: E.Either<{ readonly _tag: string }, UpstreamAnswer>): boolean =>
  E.isLeft(outcome) ? outcome.left._tag === 'Unreachable' : PASSING.has(outcome.right.status);

/** Doubled each time, of which up to a half is chance, so that many callers don't come back at one moment. */
const backOff = (attempt: number, random: () => number): number => FIRST_PAUSE_MS * 2 ** attempt * (1 - random() / 2);

/**
 * Sends again what is safe to repeat, while the failure is one that passes by itself and time is left for the pause,
 * `Retry-After` included; where it is not, the last outcome is the answer, at once.
 *
 * @param attempt given its number, from 0
 */
export const withRetries = async <Failure extends { readonly _tag: string }>(
  { now, wait, random }: Timing,
  deadline: Deadline,
  attempt: (number: number) => Promise<E.Either<Failure, UpstreamAnswer>>,
): Promise<E.Either<Failure, UpstreamAnswer>> => {
  for (let number = 0; ; number += 1) {
    const outcome = await attempt(number);
    if (number === REPETITIONS || !mayPass(outcome)) return outcome;
    const asked = E.isRight(outcome) ? retryAfterMs(outcome.right.retryAfter, now()) : null;
    const pause = (asked ?? 0) + backOff(number, random);
    if (pause >= deadline.left()) return outcome;
    await wait(pause, deadline.signal);
  }
};

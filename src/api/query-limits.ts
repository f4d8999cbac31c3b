import { either as E, type taskEither as TE } from 'fp-ts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { problem, type Problem } from '../http/problem.ts';

/** What keeps one caller from taking all, and all callers from piling up; deliveries are never counted here. */
export type QueryLimits = {
  /** Counts a question of an API key, by the key's id; the headers tell the caller what is left. */
  readonly count: (keyId: string) => TE.TaskEither<Problem, Readonly<Record<string, string>>>;
  /** Lets a question be answered, or says that too many are under way. */
  readonly admit: <A>(answer: TE.TaskEither<Problem, A>) => TE.TaskEither<Problem, A>;
};

export type QueryLimitSettings = {
  readonly perMinute: number;
  readonly mostUnderWay: number;
};

const WINDOW_SECONDS = 60;

/** `RateLimit` and `RateLimit-Policy` as the HTTPAPI working group's draft has them: quota, window, what remains, seconds until then. */
const headersOf = (perMinute: number, { remainingPoints, msBeforeNext }: RateLimiterRes) => ({
  'RateLimit-Policy': `"key";q=${perMinute};w=${WINDOW_SECONDS}`,
  RateLimit: `"key";r=${Math.max(0, remainingPoints)};t=${Math.ceil(msBeforeNext / 1000)}`,
});

const rateLimited = (perMinute: number, left: RateLimiterRes): Problem =>
  problem('rate-limited', `this API key may ask ${perMinute} times a minute; ask again later`, {
    retryAfterSeconds: Math.max(1, Math.ceil(left.msBeforeNext / 1000)),
    headers: headersOf(perMinute, left),
  });

const OVERLOADED = problem('overloaded', 'too many questions are being answered now; ask again', {
  retryAfterSeconds: 1,
});

/** Counts in the memory of this process: two ledgers on one store count each for itself. */
export const queryLimits = ({ perMinute, mostUnderWay }: QueryLimitSettings): QueryLimits => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  let underWay = 0;
  return {
    count: (keyId) => () =>
      limiter.consume(keyId).then(
        (left) => E.right(headersOf(perMinute, left)),
        (refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) return E.left(rateLimited(perMinute, refusal));
          throw refusal;
        },
      ),
    admit: (answer) => async () => {
      if (underWay >= mostUnderWay) return E.left(OVERLOADED);
      underWay += 1;
      try {
        return await answer();
      } finally {
        underWay -= 1;
      }
    },
  };
};

import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { FairBeginnings } from '../concurrency/fair-beginnings.ts';
import { FairPlaces } from '../concurrency/fair-places.ts';
import type { AccessEnded, Overloaded, RateLimited } from '../queries/failure/query-failure.ts';
import { askedBy } from './asker.ts';
import type { Reader } from './reader.ts';
import { whileAllowed } from './while-allowed.ts';

/** What keeps one caller from taking all, and all callers from piling up; deliveries are never counted here. */
export type QueryLimits = {
  /** Counts a question of an API key, by the key's id; answers what the key has left. */
  readonly count: (keyId: string) => TE.TaskEither<RateLimited, Allowance>;
  /**
   * Lets a question of an API key be answered, or says that too many are under way: the key's share of them at most. Whoever may
   * not ask any more when the answer is there is not given it.
   *
   * @param drop releases an answer that nobody is given
   */
  readonly admit: <Failure, A>(
    reader: Reader,
    answer: TE.TaskEither<Failure, A>,
    drop: (answer: A) => Promise<void>,
  ) => TE.TaskEither<Failure | Overloaded | AccessEnded, A>;
};

/** How often a key may ask, and what of it is left until the time begins anew. */
export type Allowance = { readonly perMinute: number; readonly remaining: number; readonly msBeforeNext: number };

export type QueryLimitSettings = {
  readonly perMinute: number;
  /** Of all keys; each may have as many as are free still, so one alone has half of them. */
  readonly mostUnderWay: number;
};

export const WINDOW_SECONDS = 60;

/** Counts in the memory of this process: two ledgers on one store count each for itself. */
export const queryLimits = ({ perMinute, mostUnderWay }: QueryLimitSettings): QueryLimits => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const underWay = new FairPlaces(mostUnderWay, 0);
  const beginnings = new FairBeginnings();
  return {
    count: (keyId) => () =>
      limiter.consume(keyId).then(
        ({ remainingPoints, msBeforeNext }) =>
          E.right({ perMinute, remaining: Math.max(0, remainingPoints), msBeforeNext }),
        (refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          return E.left({ _tag: 'RateLimited', perMinute, msBeforeNext: refusal.msBeforeNext });
        },
      ),
    admit: (reader, answer, drop) => async () => {
      const { keyId } = reader;
      if (!(await underWay.take(keyId))) return E.left({ _tag: 'Overloaded', by: 'questions' });
      try {
        await beginnings.turn(keyId);
        return await askedBy(reader, whileAllowed(reader, answer, drop));
      } finally {
        underWay.giveBack(keyId);
      }
    },
  };
};

import { problem, type Problem } from '../http/problem.ts';
import { failureWords } from '../queries/failure/failure-words.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { ApiFailure, Unauthorized } from './api-failure.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

const CHALLENGE = 'Bearer realm="ramp-ledger"';

/** Some clients send a password only once they are asked for one. */
const BASIC_TOO = `, Basic realm="ramp-ledger"`;

/** The key was valid, or is another. */
const INVALID = `${CHALLENGE}, error="invalid_token"`;

const WORDS: Readonly<Record<Unauthorized['key'], { readonly detail: string; readonly challenge: string }>> = {
  missing: { detail: 'send Authorization: Bearer with an API key', challenge: CHALLENGE },
  invalid: { detail: 'this API key is not valid', challenge: INVALID },
};

const unauthorized = ({ key, basic }: Unauthorized): Problem => {
  const { detail, challenge } = WORDS[key];
  return problem('unauthorized', detail, { headers: { 'WWW-Authenticate': challenge + (basic ? BASIC_TOO : '') } });
};

const headersOf = (failure: QueryFailure): Pick<Problem, 'headers'> => {
  if (failure._tag === 'RateLimited') return { headers: rateLimitHeaders({ ...failure, remaining: 0 }) };
  if (failure._tag === 'AccessEnded') return { headers: { 'WWW-Authenticate': INVALID } };
  if (failure._tag !== 'Forbidden') return {};
  const challenge = `${CHALLENGE}, error="insufficient_scope", scope="${failure.scope}"`;
  return { headers: { 'WWW-Authenticate': challenge } };
};

/** The one place where a failure becomes a problem (docs/spec/http.md, Errors). */
export const problemOf = (failure: ApiFailure): Problem => {
  if (failure._tag === 'Unauthorized') return unauthorized(failure);
  if (failure._tag === 'BodyUnread') {
    // What is left of the body would be taken for the next request.
    return problem(failure.code, failure.detail, { headers: { Connection: 'close' } });
  }
  if (failure._tag === 'NotReady') {
    return problem('not-ready', 'a delivery could not be accepted now', { cause: failure.detail });
  }
  const { code, detail, cause, againInSeconds } = failureWords(failure);
  return problem(code, detail, {
    ...headersOf(failure),
    ...(failure._tag === 'StatementUnreadable' ? { place: { line: failure.line, field: failure.field } } : {}),
    ...(failure._tag === 'PeriodNotReady' ? { checks: failure.checks } : {}),
    ...(cause === null ? {} : { cause }),
    ...(againInSeconds === null ? {} : { retryAfterSeconds: againInSeconds }),
  });
};

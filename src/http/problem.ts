import * as t from 'io-ts';
import { described } from '../openapi/described.ts';
import { problemKind, type ProblemCode } from '../openapi/problem-codes.ts';
import type { ApiContext } from './api-context.ts';

/** Why a request is not answered as asked (docs/spec/http.md, Errors; RFC 9457). Made by `problem`. */
export type Problem = {
  readonly status: number;
  /** Stable; what callers branch on. */
  readonly code: string;
  readonly title: string;
  /** For the caller: what is wrong and with what; no personal data. */
  readonly detail: string;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where in a file something is wrong. */
  readonly place?: { readonly line: number | null; readonly field: string };
  /** Names of the checks that a month is not closed over. */
  readonly checks?: readonly string[];
  /** For the operator's log only. */
  readonly cause?: string;
};

/** Makes a problem of one of the documented kinds, with the detail of this case. */
export const problem = (
  code: ProblemCode,
  detail: string,
  particular: Pick<Problem, 'headers' | 'cause' | 'retryAfterSeconds' | 'place' | 'checks'> = {},
): Problem => {
  const { status, title, againInSeconds, shownAs } = problemKind(code);
  return {
    status,
    code: shownAs ?? code,
    title,
    detail,
    ...(againInSeconds === undefined ? {} : { retryAfterSeconds: againInSeconds }),
    ...particular,
  };
};

/** What a problem is answered with. */
export const ProblemResource = t.exact(
  t.intersection([
    t.type({
      type: described(t.string, 'Names the kind of problem: `urn:ramp-ledger:problem:` and the code.', {
        format: 'uri',
      }),
      title: t.string,
      status: described(t.number, 'The HTTP status.', { type: 'integer' }),
      detail: described(t.string, 'What is wrong, and with what.'),
      code: described(t.string, 'Stable; branch on it.'),
      requestId: described(t.string, 'Finds the request in the log; also in `X-Request-Id`.', {
        pattern: String.raw`^[A-Za-z0-9_.:-]{8,128}$`,
      }),
    }),
    t.partial({
      line: described(
        t.union([t.number, t.null]),
        'Of `statement-unreadable`: the line of the file, or row of the sheet, from 1; null: no one line.',
      ),
      field: described(t.string, 'Of `statement-unreadable`: what can not be read there.'),
      checks: described(t.readonlyArray(t.string), 'Of a close that is `not-ready`: the checks that are not ok.'),
    }),
  ]),
  'Problem',
);

/** A problem as a resource, for one request. */
export const problemResource = (
  {
    status,
    code,
    title,
    detail,
    place,
    checks,
  }: Pick<Problem, 'status' | 'code' | 'title' | 'detail' | 'place' | 'checks'>,
  requestId: string,
): t.TypeOf<typeof ProblemResource> => ({
  type: `urn:ramp-ledger:problem:${code}`,
  title,
  status,
  detail,
  code,
  requestId,
  ...place,
  ...(checks === undefined ? {} : { checks }),
});

/** The one place where a problem becomes a reply: `application/problem+json`. */
export const sendProblem = (ctx: ApiContext, problem: Problem): void => {
  const { status, retryAfterSeconds, headers = {} } = problem;
  ctx.state.problem = problem;
  ctx.status = status;
  ctx.set({ ...headers, 'Cache-Control': 'private, no-store' });
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  ctx.body = JSON.stringify(problemResource(problem, ctx.state.requestId));
  ctx.type = 'application/problem+json';
};

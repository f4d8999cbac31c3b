import { problemResource, type Problem } from './problem.ts';

/** A problem as Node sends it where no Koa is. */
export type PlainProblem = {
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly text: string;
};

/** The reply to a request that is answered with a problem. */
export const plainProblem = (problem: Problem, requestId: string): PlainProblem => {
  const { retryAfterSeconds, headers = {} } = problem;
  const text = JSON.stringify(problemResource(problem, requestId));
  return {
    headers: [
      ...Object.entries(headers),
      ['Cache-Control', 'private, no-store'],
      ...(retryAfterSeconds === undefined ? [] : [['Retry-After', String(retryAfterSeconds)]]),
      ['Content-Type', 'application/problem+json; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(text))],
      ['X-Request-Id', requestId],
    ].flat(),
    text,
  };
};

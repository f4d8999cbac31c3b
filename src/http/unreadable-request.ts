import { STATUS_CODES } from './node-http.ts';
import { problem, problemResource, type Problem } from './problem.ts';

/** What came is no request. */
export const BAD_REQUEST = problem('bad-request', 'This is no HTTP request that can be read.');

/** The headers take more room than they may, or there are too many of them. */
export const HEADERS_TOO_LARGE = problem('headers-too-large', 'The headers are too large, or too many.');

/** Stands for a body in too many small chunks, as the codes of Node's errors do for what its parser refuses. */
export const CHUNKS_TOO_SMALL = 'CHUNKS_TOO_SMALL';

/** The code of Node's error for a request, or its headers, that is not there in time. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** By the code of the error that Node gives. */
const BY_ERROR: ReadonlyMap<string, Problem> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', problem('body-too-large', 'The chunk extensions are too large.')],
  [
    CHUNKS_TOO_SMALL,
    problem(
      'body-too-large',
      'The body comes in too many small chunks: send it in larger ones, or with a Content-Length.',
    ),
  ],
  [REQUEST_TIMEOUT, problem('request-timeout', 'The request was not there in time.')],
]);

/** The problem as JSON. */
const unreadableProblem = (unreadable: Problem, requestId: string): string =>
  JSON.stringify(problemResource(unreadable, requestId));

/**
 * The whole answer to what could not be read as a request, and therefore never reached the application: a problem with
 * a request id like every other (docs/spec/http.md, Errors), where Node alone would send none.
 * @param errorCode of the error that Node's parser gave
 */
export const answerToUnreadable = (errorCode: string | undefined, requestId: string): string => {
  const unreadable = BY_ERROR.get(errorCode ?? '') ?? BAD_REQUEST;
  const body = unreadableProblem(unreadable, requestId);
  const head = [
    `HTTP/1.1 ${unreadable.status} ${STATUS_CODES[unreadable.status] ?? ''}`,
    'Connection: close',
    'Cache-Control: private, no-store',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  return [...head, '', body].join('\r\n');
};

import { STATUS_CODES } from 'node:http';

/** What is wrong with a request that never becomes one. */
type Unreadable = { readonly status: number; readonly code: string; readonly detail: string };

const BAD_REQUEST: Unreadable = {
  status: 400,
  code: 'bad-request',
  detail: 'This is no HTTP request that can be read.',
};

/** The headers take more room than they may, or there are too many of them. */
export const HEADERS_TOO_LARGE: Unreadable = {
  status: 431,
  code: 'headers-too-large',
  detail: 'The headers are too large, or too many.',
};

/** By the code of the error that Node gives. */
const BY_ERROR: ReadonlyMap<string, Unreadable> = new Map([
  ['HPE_HEADER_OVERFLOW', HEADERS_TOO_LARGE],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    { status: 413, code: 'body-too-large', detail: 'The chunk extensions are too large.' },
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'request-timeout', detail: 'The request was not there in time.' }],
]);

/** The problem as JSON. */
export const unreadableProblem = ({ status, code, detail }: Unreadable, requestId: string): string => {
  const title = STATUS_CODES[status] ?? '';
  return JSON.stringify({ type: `urn:ramp-ledger:problem:${code}`, title, status, detail, code, requestId });
};

/**
 * The whole answer to what could not be read as a request, and therefore never reached the application: a problem with a
 * request id like every other (contract.md, Asking), where Node alone would send none.
 *
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

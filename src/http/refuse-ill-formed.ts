import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { plainProblem } from './plain-problem.ts';
import type { Problem } from './problem.ts';
import { hostOfTarget, pathOfTarget } from './request-target.ts';
import { BAD_REQUEST, HEADERS_TOO_LARGE } from './unreadable-request.ts';

const refuse = (response: ServerResponse, unreadable: Problem, requestId: string): void => {
  const { headers, text } = plainProblem(unreadable, requestId);
  response.writeHead(unreadable.status, ['Connection', 'close', ...headers]).end(text);
};

/** Whether a request names the host that it is for, once, as HTTP/1.1 has it; older ones need not. */
const isForOneHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) hosts += rawHeaders[at]?.toLowerCase() === 'host' ? 1 : 0;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
};

/**
 * Whether a body comes in no coding but chunks, once. Node reads chunks of any other coding as if they were the body: what a
 * sender packed would be judged as it is not, and where a body ends would be told by something else than by its sender.
 */
const isPlainlySent = ({ headers }: IncomingMessage): boolean =>
  (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked';

/**
 * Whether it comes in a version of HTTP that is read here. Node's parser reads 0.9 and 2.0 too as if they were 1.1, though
 * neither has requests of this form: who stands before the ledger may see another end of them.
 */
const isOfKnownVersion = ({ httpVersion }: IncomingMessage): boolean => httpVersion === '1.1' || httpVersion === '1.0';

/** What is wrong with a request before anybody looks at its headers; its target is a path from here on, and its host the one that it named. */
const wrongWith = (request: IncomingMessage, mostHeaders: number): Problem | null => {
  if (request.rawHeaders.length > 2 * mostHeaders) return HEADERS_TOO_LARGE;
  const target = request.url ?? '';
  const path = pathOfTarget(target);
  const isWell = path !== null && isOfKnownVersion(request) && isForOneHost(request) && isPlainlySent(request);
  if (!isWell) return BAD_REQUEST;
  const host = hostOfTarget(target);
  if (host !== null) request.headers.host = host;
  request.url = path;
  return null;
};

/** Whether where the body ends is in doubt: HTTP/1.0 knows no chunks (RFC 9112, 6.1), so that another may read it otherwise. */
const isEndInDoubt = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;

/**
 * Whether it asks for another protocol. It is answered as any other, but Node's parser stops behind it and drops what came with
 * it: the answer to a later request would stand where that to the dropped one is expected.
 */
const isForAnotherProtocol = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined;

/**
 * Answers 431 where a request has more headers than that, which Node alone would silently leave out, and 400 where its
 * target is none, where it names no host or several, where its body comes in another coding than chunks, or where it is of
 * another version of HTTP than 1.0 and 1.1. One of HTTP/1.0 in chunks, or that asks for another protocol, is the last of its
 * connection, as is what is refused.
 *
 * @param mostHeaders header lines, each counted as often as it came
 */
export const refuseIllFormed =
  (mostHeaders: number, newRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    const wrong = wrongWith(request, mostHeaders);
    if (isEndInDoubt(request) || isForAnotherProtocol(request)) response.shouldKeepAlive = false;
    if (wrong === null) listener(request, response);
    else refuse(response, wrong, newRequestId());
  };

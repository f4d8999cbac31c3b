import type { RequestListener } from 'node:http';
import { HEADERS_TOO_LARGE, unreadableProblem } from './unreadable-request.ts';

/**
 * Answers 431 where a request has more headers than that, before anybody looks at one of them. Node alone would silently
 * leave out those beyond its own bound.
 *
 * @param most of header lines, each counted as often as it came
 */
export const limitHeaders =
  (most: number, newRequestId: () => string, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.rawHeaders.length <= 2 * most) {
      listener(request, response);
      return;
    }
    const requestId = newRequestId();
    const body = unreadableProblem(HEADERS_TOO_LARGE, requestId);
    response.writeHead(HEADERS_TOO_LARGE.status, {
      Connection: 'close',
      'Cache-Control': 'private, no-store',
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
    });
    response.end(body);
  };

import { isJsonObject, member, type JsonObject } from '../domain/json.ts';
import { problemKind, type ProblemCode } from './problem-codes.ts';

/** Headers that tell how many questions an API key may still ask. */
export const RATE_LIMIT_HEADERS: JsonObject = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** The name of the answer to what never became a request: `default` of every operation. */
export const UNREADABLE = 'UnreadableRequest';

const OF_UNREADABLE = ['bad-request', 'wrong-host', 'request-timeout', 'body-too-large', 'headers-too-large'] as const;

const pascal = (code: string): string =>
  code
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** The component that answers these codes: `BehindOrStoreUnavailable`. */
export const responseName = (codes: readonly ProblemCode[]): string => codes.map(pascal).join('Or');

const lines = (codes: readonly ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${problemKind(code).when}`).join('\n');

const examplesOf = (codes: readonly ProblemCode[], examples: JsonObject): JsonObject => {
  const problems = member(examples, 'problems');
  const known = codes.flatMap((code) => {
    const value = problems !== undefined && isJsonObject(problems) ? member(problems, code) : undefined;
    return value === undefined ? [] : [[code, { value }] as const];
  });
  return known.length === 0 ? {} : { examples: Object.fromEntries(known) };
};

const response = (
  codes: readonly ProblemCode[],
  description: string,
  headers: JsonObject,
  examples: JsonObject,
): JsonObject => {
  const statuses = [...new Set(codes.map((code) => problemKind(code).status))];
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers },
    content: {
      'application/problem+json': {
        schema: {
          $ref: '#/components/schemas/Problem',
          type: 'object',
          properties: {
            status: { type: 'integer', enum: statuses },
            code: { type: 'string', enum: codes.map((code) => problemKind(code).shownAs ?? code) },
          },
        },
        ...examplesOf(codes, examples),
      },
    },
  };
};

/**
 * The answer to problems of one status.
 *
 * @param counted whether the question may have been counted; that of a caller without a valid key never is
 */
export const problemResponse = (codes: readonly ProblemCode[], counted: boolean, examples: JsonObject): JsonObject => {
  const kinds = codes.map(problemKind);
  const again = kinds.every((kind) => kind.againInSeconds !== undefined);
  const challenged = codes.every((code) => code === 'unauthorized' || code === 'forbidden');
  return response(
    codes,
    lines(codes),
    {
      ...(counted && !codes.includes('unauthorized') ? RATE_LIMIT_HEADERS : {}),
      ...(again ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
      ...(challenged ? { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } } : {}),
    },
    examples,
  );
};

/** The answer to what never became a request, before any operation is asked; the connection is closed. */
export const unreadableResponse = (examples: JsonObject): JsonObject =>
  response(
    OF_UNREADABLE,
    `What came could not be read as a request, or is for another host.\n${lines(OF_UNREADABLE)}`,
    {},
    examples,
  );

/**
 * How a problem is answered (docs/spec/http.md, Errors): by its code, which callers branch on and which never changes.
 */
type ProblemKind = {
  readonly status: number;
  readonly title: string;
  /** When it is met, for the document. */
  readonly when: string;
  /** The code that callers see, where two problems have one. */
  readonly shownAs?: string;
  /** How soon it is usually worth asking again, which the reply says (`Retry-After`). */
  readonly againInSeconds?: number;
};

/** How soon it is worth asking again when a store is away. */
const SOON_SECONDS = 5;

/** Every problem that the HTTP interface answers with. */
export const PROBLEMS = {
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    when: 'A parameter is unknown, came more than once or is ill-formed; the detail names it.',
  },
  'bad-request': { status: 400, title: 'Bad Request', when: 'What came is no HTTP request.' },
  'wrong-host': {
    status: 400,
    title: 'Wrong host',
    when: 'The `Host` header names no address of this ledger (`PUBLIC_URL`).',
  },
  'body-incomplete': { status: 400, title: 'Body incomplete', when: 'The connection ended before the body did.' },
  unauthorized: { status: 401, title: 'Unauthorized', when: 'No valid API key was sent.' },
  'signature-missing': { status: 401, title: 'Signature missing', when: 'There is no signature header.' },
  'signature-malformed': {
    status: 401,
    title: 'Signature malformed',
    when: 'The signature is not exactly 64 hex digits.',
  },
  'signature-mismatch': {
    status: 401,
    title: 'Signature mismatch',
    when: 'No active secret gives this signature for this body.',
  },
  'too-old': { status: 401, title: 'Too old', when: "The order's newest timestamp is too long ago." },
  forbidden: { status: 403, title: 'Forbidden', when: 'The API key lacks a scope; the detail names it.' },
  'not-found': { status: 404, title: 'Not found', when: 'There is nothing of this id or at this address.' },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The address answers other methods; `Allow` names them.',
  },
  'period-too-large': {
    status: 422,
    title: 'Period too large',
    when: 'The figures of the month come to more than one event of a store may have.',
  },
  'decision-too-large': {
    status: 422,
    title: 'Decision too large',
    when: 'What is decided on has more orders, lines and transfers than one event of a store can name: some 14,000.',
  },
  'already-closed': {
    status: 409,
    title: 'Already closed',
    when: 'The month, or the quarantined delivery, is closed.',
  },
  'not-closed': { status: 409, title: 'Not closed', when: 'The month, or the quarantined delivery, is open.' },
  'already-released': {
    status: 409,
    title: 'Already released',
    when: 'The quarantined delivery is part of its order.',
  },
  'later-period-closed': { status: 409, title: 'Later period closed', when: 'A later month is closed.' },
  'period-not-ready': {
    status: 409,
    title: 'Not ready',
    when: 'Checks of the month are not well; the detail names them. The code is `not-ready`.',
    shownAs: 'not-ready',
  },
  'body-timeout': { status: 408, title: 'Body timeout', when: 'The body was not there in time.' },
  'request-timeout': { status: 408, title: 'Request Timeout', when: 'The request was not there in time.' },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    when: 'The body is larger than it may be, or in too many small chunks.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body is not JSON by its content type, or is encoded.',
  },
  'statement-unreadable': {
    status: 422,
    title: 'Statement unreadable',
    when: 'The bank file is refused whole; `line` and `field` say what of it can not be read.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when: 'The API key has asked more often than it may in a minute (`API_MAX_REQUESTS_PER_MINUTE`).',
    againInSeconds: SOON_SECONDS,
  },
  'headers-too-large': {
    status: 431,
    title: 'Request Header Fields Too Large',
    when: 'The headers are too large, or too many.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    when: 'Something went wrong here; the log knows it by the request id.',
  },
  'unreadable-event': {
    status: 500,
    title: 'Unreadable event',
    when: 'An event that is stored is damaged; an operator must look at it (`ramp-ledger verify`).',
  },
  'store-unavailable': {
    status: 503,
    title: 'Event store unavailable',
    when: 'The event store is away.',
    againInSeconds: SOON_SECONDS,
  },
  'history-lost': {
    status: 503,
    title: 'History lost',
    when: 'The log does not contain a checkpoint that this ledger signed, or more may have been signed than is kept, as behind a restore: an operator must look at it (`ramp-ledger verify`, `ramp-ledger doctor`).',
    againInSeconds: SOON_SECONDS,
  },
  behind: {
    status: 503,
    title: 'Read models behind',
    when: 'The read models do not include the position in time, or are being built.',
    againInSeconds: SOON_SECONDS,
  },
  'not-ready': {
    status: 503,
    title: 'Not ready',
    when: 'A delivery could not be accepted now.',
    againInSeconds: SOON_SECONDS,
  },
  'not-durable': {
    status: 503,
    title: 'Not durable',
    when: 'It could not be made durable; nothing of it may be relied on.',
    againInSeconds: SOON_SECONDS,
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    when: 'Too much is under way at once.',
    againInSeconds: SOON_SECONDS,
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

export const problemKind = (code: ProblemCode): ProblemKind => PROBLEMS[code];

/** Why a delivery is not accepted: a problem for the provider (contract.md, Receiving), and whether unread bytes are left on its connection. */
export type Rejection = {
  readonly status: 400 | 401 | 408 | 413 | 415 | 503;
  readonly code: RejectionCode;
  readonly title: string;
  readonly detail: string;
  readonly retryAfterSeconds?: number;
};

/** Codes of the answers to deliveries that are not accepted (contract.md, Receiving). */
export const REJECTION_CODES = [
  'unsupported-media-type',
  'body-too-large',
  'body-timeout',
  'body-incomplete',
  'signature-missing',
  'signature-malformed',
  'signature-mismatch',
  'too-old',
  'not-durable',
  'overloaded',
] as const;

type RejectionCode = (typeof REJECTION_CODES)[number];

const RETRY_AFTER_SECONDS = 5;

export const unsupportedMediaType = (detail: string): Rejection => ({
  status: 415,
  code: 'unsupported-media-type',
  title: 'Unsupported media type',
  detail,
});

export const bodyTooLarge = (most: number): Rejection => ({
  status: 413,
  code: 'body-too-large',
  title: 'Body too large',
  detail: `A delivery may have at most ${most} bytes (WEBHOOK_MAX_BODY_BYTES).`,
});

export const bodyTimeout = (withinMs: number): Rejection => ({
  status: 408,
  code: 'body-timeout',
  title: 'Body timeout',
  detail: `The body was not there within ${withinMs / 1000} seconds.`,
});

export const bodyIncomplete: Rejection = {
  status: 400,
  code: 'body-incomplete',
  title: 'Body incomplete',
  detail: 'The connection ended before the body did.',
};

export const signatureMissing = (header: string): Rejection => ({
  status: 401,
  code: 'signature-missing',
  title: 'Signature missing',
  detail: `The header ${header} is required: the hex HMAC-SHA256 of the body.`,
});

export const signatureMalformed = (header: string): Rejection => ({
  status: 401,
  code: 'signature-malformed',
  title: 'Signature malformed',
  detail: `The header ${header} must be exactly 64 hex digits.`,
});

export const signatureMismatch: Rejection = {
  status: 401,
  code: 'signature-mismatch',
  title: 'Signature mismatch',
  detail: 'No active secret gives this signature for this body.',
};

export const tooOld = (maxAgeSeconds: number): Rejection => ({
  status: 401,
  code: 'too-old',
  title: 'Too old',
  detail: `The order's newest timestamp is more than ${maxAgeSeconds} seconds past (WEBHOOK_MAX_AGE_SECONDS).`,
});

export const notDurable: Rejection = {
  status: 503,
  code: 'not-durable',
  title: 'Not durable',
  detail: 'The delivery could not be made durable. Send it again.',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

export const overloaded: Rejection = {
  status: 503,
  code: 'overloaded',
  title: 'Overloaded',
  detail: 'Too many deliveries are under way. Send it again.',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

import { problem, type Problem } from '../http/problem.ts';
import type { ProblemCode } from '../openapi/problem-codes.ts';

/** Codes of the answers to deliveries that are not accepted (docs/spec/receiving.md, Replies). */
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
] as const satisfies readonly ProblemCode[];

type RejectionCode = (typeof REJECTION_CODES)[number];

/** Why a delivery is not accepted: a problem for the provider (docs/spec/receiving.md, Replies). */
export type Rejection = Problem & { readonly code: RejectionCode };

const rejection = (code: RejectionCode, detail: string): Rejection => ({ ...problem(code, detail), code });

export const unsupportedMediaType = (detail: string): Rejection => rejection('unsupported-media-type', detail);

export const bodyTooLarge = (most: number): Rejection =>
  rejection('body-too-large', `A delivery may have at most ${most} bytes (WEBHOOK_MAX_BODY_BYTES).`);

export const bodyTimeout = (withinMs: number): Rejection =>
  rejection('body-timeout', `The body was not there within ${withinMs / 1000} seconds.`);

/** Only for the log: the connection ended in the middle of the body, so nobody gets this answer. */
export const bodyIncomplete: Rejection = rejection('body-incomplete', 'The connection ended before the body did.');

export const signatureMissing = (header: string): Rejection =>
  rejection('signature-missing', `The header ${header} is required: the hex HMAC-SHA256 of the body.`);

export const signatureMalformed = (header: string): Rejection =>
  rejection('signature-malformed', `The header ${header} must be exactly 64 hex digits.`);

export const signatureMismatch: Rejection = rejection(
  'signature-mismatch',
  'No active secret gives this signature for this body.',
);

export const tooOld = (maxAgeSeconds: number): Rejection =>
  rejection(
    'too-old',
    `The order's newest timestamp is more than ${maxAgeSeconds} seconds past (WEBHOOK_MAX_AGE_SECONDS).`,
  );

export const notDurable: Rejection = rejection('not-durable', 'The delivery could not be made durable. Send it again.');

export const overloaded: Rejection = rejection('overloaded', 'Too many deliveries are under way. Send it again.');

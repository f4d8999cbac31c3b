import { check, type UpstreamCure } from './claims.ts';
import type { UpstreamAnswer } from './exchange.ts';
import type { Step, StepFailure, Steps } from './steps.ts';
import type { PathRefused } from './upstream-url.ts';

// Not imported, which would load Node's client of the web's interfaces with each command: see src/http/node-http.ts.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Why a call upstream has no answer that counts. The codes are stable; nothing in it is secret but a rejected call's answer. */
export type UpstreamError =
  | PathRefused
  /** Neither refresh nor login gave a token. */
  | { readonly _tag: 'NoToken'; readonly code: 'upstream-no-token'; readonly steps: Steps }
  /** There was a token, and no answer to the call. */
  | { readonly _tag: 'CallFailed'; readonly code: 'upstream-call-failed'; readonly steps: Steps }
  /** 401 to fresh tokens too; the last answer. */
  | {
      readonly _tag: 'Unauthorised';
      readonly code: 'upstream-unauthorised';
      readonly steps: Steps;
      readonly answer: UpstreamAnswer;
    };

/** A status with its name: `404 Not Found`. */
export const statusText = (status: number): string => {
  const name = STATUS_CODES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
};

const cureOfStatus = (status: number): UpstreamCure => {
  if (status === 429 || status >= 500) return { cure: 'try again later', variable: null };
  return check([400, 401, 403, 422].includes(status) ? 'UPSTREAM_LOGIN_JSON' : 'UPSTREAM_BASE_URL');
};

/** Codes of Node and OpenSSL for a connection over TLS that did not come about. */
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const OUT_OF_DATE = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/;
const OF_ANOTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';

const cureOfConnection = (code: string): UpstreamCure => {
  if (UNTRUSTED.test(code))
    return {
      cure: 'see whose certificate UPSTREAM_BASE_URL leads to: Node knows nobody who signed it; NODE_EXTRA_CA_CERTS=FILE names an authority of your own',
      variable: 'UPSTREAM_BASE_URL',
    };
  if (OUT_OF_DATE.test(code))
    return {
      cure: "the provider's certificate is out of date: tell them, and see that the clock here is right",
      variable: null,
    };
  return {
    cure:
      code === OF_ANOTHER_HOST
        ? 'check UPSTREAM_BASE_URL: the certificate there is for another host'
        : 'check UPSTREAM_BASE_URL, and whether the provider is up',
    variable: 'UPSTREAM_BASE_URL',
  };
};

type Told = UpstreamCure & { readonly happened: string };

const told = (failure: StepFailure): Told => {
  if (failure._tag === 'TimedOut') {
    return { happened: 'no answer in time', cure: 'try again, and see whether the provider is up', variable: null };
  }
  if (failure._tag === 'Unreachable') {
    return { happened: `no connection (${failure.detail})`, ...cureOfConnection(failure.detail) };
  }
  if (failure._tag === 'AnswerTooLarge')
    return { happened: 'an answer of more than 1 MiB', cure: 'ask for less', variable: null };
  if (failure._tag === 'AnswerGarbled') {
    return { happened: `an answer that can't be read (${failure.detail})`, ...check('UPSTREAM_BASE_URL') };
  }
  if (failure._tag === 'NoTokenInAnswer') {
    return { happened: 'an answer without an accessToken', ...check('UPSTREAM_BASE_URL') };
  }
  if (failure._tag === 'TokenUnusable') {
    return { happened: `a token that is not used: ${failure.detail}`, cure: failure.cure, variable: failure.variable };
  }
  return failure._tag === 'KeysUnavailable'
    ? { happened: `a token, but no key set to check it with (${failure.detail})`, ...check('UPSTREAM_JWKS_URL') }
    : { happened: statusText(failure.status), ...cureOfStatus(failure.status) };
};

const stepText = ({ step, failure }: Step): string => `${step}: ${failure === null ? 'done' : told(failure).happened}`;

const WHAT: Readonly<Record<Exclude<UpstreamError, PathRefused>['_tag'], string>> = {
  NoToken: 'the provider gave no access token',
  CallFailed: 'the call got no answer',
  Unauthorised: 'the provider rejects every token',
};

/** What happened at each step, and what to do about the last; null where nothing more can be told. */
export const upstreamErrorTold = (
  error: UpstreamError,
): { readonly happened: string; readonly cure: UpstreamCure | null } => {
  if (error._tag === 'PathRefused') return { happened: error.detail, cure: null };
  const last = error.steps.at(-1)?.failure ?? null;
  const happened = `${WHAT[error._tag]} (${error.steps.map(stepText).join(', ')})`;
  return { happened, cure: last === null ? null : told(last) };
};

/** One line for people: what happened at each step, and what to do about the last. */
export const upstreamErrorLine = (error: UpstreamError): string => {
  const { happened, cure } = upstreamErrorTold(error);
  return cure === null ? happened : `${happened}; ${cure.cure}`;
};
